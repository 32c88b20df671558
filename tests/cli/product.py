"""A fake product: the part of the API that the client uses, in a few dictionaries."""

import hashlib
import re
from collections.abc import Callable
from typing import Any

from . import samples
from .desk import Desk
from .wire import MOVES, Reply, Request, actions, refusal


class Product:
    def __init__(self) -> None:
        self.home = ""
        self.items: dict[str, dict[str, Any]] = {}
        self.artifacts: dict[str, dict[str, list[dict[str, Any]]]] = {}
        self.exports: dict[str, dict[str, Any]] = {}
        self.upcoming: dict[str, list[dict[str, Any]]] = {}  # changes that the next reads of an item apply, in order
        self.waits = 0  # number of responses that report a new export as running
        self.fails: dict[str, Any] | None = None  # the failure of the next export
        self.blobs: dict[str, bytes] = {}
        self.dispositions: dict[str, str] = {}  # file name → Content-Disposition
        self.tokens: list[dict[str, Any]] = []
        self.hooks: list[dict[str, Any]] = []
        self.deliveries: list[dict[str, Any]] = []
        self.keys: dict[str, Reply] = {}
        self.wrong: list[dict[str, str]] = []  # validation errors of the next payload
        self.page = 100
        self.desk = Desk()
        self.more: list[tuple[str, str, Callable[..., Reply]]] = []  # routes that only a few tests need

    def add(self, item_id: str, status: str = "READY", **more: Any) -> dict[str, Any]:
        self.items[item_id] = row = samples.item(item_id, status, **more)
        if "served_run_id" in row:
            self.artifacts[item_id] = {kind: [a] for kind, a in samples.artifacts(item_id).items()}
        return row

    def answer(self, request: Request) -> Reply:
        key = request.headers.get("Idempotency-Key")
        if key in self.keys:
            return self.keys[key]
        reply = self._route(request)
        if key:
            self.keys[key] = reply
        return reply

    def _route(self, request: Request) -> Reply:
        routes: list[tuple[str, str, Callable[..., Reply]]] = [
            *self.more,
            ("POST", "/capture", self._capture),
            ("GET", "/items", self._list),
            ("POST", "/items/batch", self._batch),
            ("GET", "/items/([^/]+)", self._show),
            ("PATCH", "/items/([^/]+)", self._patch),
            ("DELETE", "/items/([^/]+)", self._delete),
            ("POST", "/items/([^/]+)/export", self._export),
            ("GET", "/items/([^/]+)/exports/([^/]+)", self._export_now),
            ("POST", "/items/([^/]+)/([a-z]+)", self._move),
            ("PUT", "/items/([^/]+)/artifacts/([a-z]+)", self._put),
            ("DELETE", "/items/([^/]+)/artifacts/([a-z]+)/user", self._undo),
            ("GET", "/items/([^/]+)/artifacts/([a-z]+)/([0-9]+)", self._version),
            ("GET", "/exports/([^/]+)/([^/]+)/([^/]+)", self._link),
            ("GET", "/blob/(.+)", self._blob),
            ("GET", "/webhooks", lambda _: Reply(200, {"webhooks": self.hooks})),
            ("POST", "/webhooks", self._hook),
            ("PATCH", "/webhooks/([^/]+)", self._change_hook),
            ("DELETE", "/webhooks/([^/]+)", self._drop_hook),
            ("POST", "/webhooks/([^/]+)/(?:test|deliveries/[^/]+/redeliver)", self._deliver),
            ("GET", "/webhooks/([^/]+)/deliveries", lambda *_: Reply(200, {"deliveries": self.deliveries})),
            ("GET", "/tokens", lambda _: Reply(200, {"tokens": self.tokens})),
            ("POST", "/tokens", self._token),
            ("DELETE", "/tokens/([^/]+)", self._revoke),
        ]
        for method, pattern, handle in [*self.desk.routes(), *routes]:
            match = re.fullmatch(pattern, request.path) if method == request.method else None
            if match:
                exists = not request.path.startswith("/items/") or match.groups() == () or match[1] in self.items
                return handle(request, *match.groups()) if exists else _not_found()
        return _not_found()

    def _capture(self, request: Request) -> Reply:
        body = request.body
        same = next((i for i in self.items.values() if body.get("url") and i.get("url") == body["url"]), None)
        if same and body.get("on_duplicate") != "new":
            same["save_count"] += 1
            same["intents"] = [*same["intents"], {"text": body["intent_text"], "at": samples.AT}]
            return Reply(200, {"item": same, "joined": True})
        item_id = f"01M7QC{len(self.items):020d}"
        row = self.add(item_id, "CAPTURED", title=body.get("title"), url=body.get("url"), domain=None)
        row["updated_at"] = "2026-11-18T13:00:00.000Z"
        row |= {"intent_text": body["intent_text"], "intents": [{"text": body["intent_text"], "at": samples.AT}]}
        return Reply(201, {"item": row})

    def _list(self, request: Request) -> Reply:
        rows = [row for row in self.items.values() if _matches(row, request.query)]
        rows.sort(key=lambda row: row["id"], reverse=True)
        limit = min(self.page, int(request.query.get("limit", ["20"])[0]))
        start = int(request.query.get("cursor", ["0"])[0])
        more = str(start + limit) if start + limit < len(rows) else None
        return Reply(200, {"items": rows[start : start + limit], "next_cursor": more})

    def _show(self, request: Request, item_id: str) -> Reply:
        if self.upcoming.get(item_id):
            change = self.upcoming[item_id].pop(0)
            if change:
                self.items[item_id] |= change
                self.items[item_id]["version"] += 1
                if change.get("status") == "READY":
                    self.add(item_id, version=self.items[item_id]["version"])
        row = self.items[item_id]
        tag = f'"{row["version"]}-ab"'
        if request.headers.get("If-None-Match") == tag:
            return Reply(304, None, {"ETag": tag})
        versions_by_kind = self.artifacts.get(item_id, {})
        detail: dict[str, Any] = {
            "item": row,
            "artifacts": {kind: versions[-1] for kind, versions in versions_by_kind.items()},
        }
        detail |= {"exports": [e for e in self.exports.values() if e["item"] == item_id]}
        detail |= {"failure": row["failure"]} if "failure" in row else {}
        detail["available_actions"] = actions(row)
        detail |= self.desk.of_item(item_id)
        if "include_history" in request.query:
            steps = (("user", "capture", "CAPTURED"), ("system:gate", "publish", "READY"))
            detail["history"] = [{"at": samples.AT, "by": by, "trigger": what, "to": to} for by, what, to in steps]
        if "versions" in request.query:
            detail["versions"] = {k: [{**a, "shown": a is v[-1]} for a in v] for k, v in versions_by_kind.items()}
        return Reply(200, detail, {"ETag": tag})

    def _move(self, request: Request, item_id: str, call: str) -> Reply:
        trigger = {"RETRY": "retry", "REGENERATE": "regenerate"}.get((request.body or {}).get("mode", ""), call)
        return self.move(item_id, trigger, 202 if call == "process" else 200)

    def move(self, item_id: str, trigger: str, status: int = 200) -> Reply:
        row = self.items[item_id]
        sources, target, code = MOVES[trigger]
        if row["status"] not in sources:
            listed = f"Available now: {', '.join(a['action'] for a in actions(row))}."
            words = f"An item that is {row['status']} cannot be asked to {trigger}. {listed}"
            return refusal(409, code, words, status=row["status"], available_actions=actions(row))
        row["status"] = target
        row["version"] += 1
        row.pop("failure", None)
        return Reply(status, {"item": row})

    def _patch(self, request: Request, item_id: str) -> Reply:
        row = self.items[item_id]
        if request.headers.get("If-Match", "").strip('"').split("-")[0] not in ("*", str(row["version"])):
            return refusal(412, "VERSION_MISMATCH", "The item has changed since you read it.", version=row["version"])
        if self.wrong:
            return self._refuse()
        row |= {**request.body, "version": row["version"] + 1}
        return Reply(200, {"item": row})

    def _put(self, request: Request, item_id: str, kind: str) -> Reply:
        versions = self.artifacts[item_id][kind]
        if request.headers.get("If-Match") != str(versions[-1]["version"]):
            return refusal(412, "VERSION_MISMATCH", f"The {kind} has changed since you read it.")
        if self.wrong:
            return self._refuse()
        versions.append(samples.artifact(kind, request.body, len(versions) + 1, "user"))
        row = self.items[item_id]
        row["edited"] = sorted({*row.get("edited", []), kind})
        return Reply(201, {"item": row, "artifact": versions[-1]})

    def _refuse(self) -> Reply:
        wrong, self.wrong = self.wrong, []
        return refusal(400, "VALIDATION_ERROR", "; ".join(w["message"] for w in wrong), fields=wrong)

    def _undo(self, _: Request, item_id: str, kind: str) -> Reply:
        self.artifacts[item_id][kind] = self.artifacts[item_id][kind][:1]
        row = self.items[item_id]
        row["edited"] = [name for name in row.pop("edited", []) if name != kind]
        if not row["edited"]:
            del row["edited"]
        return Reply(204)

    def _version(self, _: Request, item_id: str, kind: str, number: str) -> Reply:
        matches = [a for a in self.artifacts[item_id][kind] if str(a["version"]) == number]
        return Reply(200, {"artifact": matches[0]}) if matches else _not_found("version")

    def _delete(self, _: Request, item_id: str) -> Reply:
        if self.items[item_id]["status"] == "PROCESSING":
            return refusal(409, "PROCESSING_IN_PROGRESS", "The item is being worked on.", available_actions=[])
        del self.items[item_id]
        return Reply(204)

    def _batch(self, request: Request) -> Reply:
        results = []
        for item_id in request.body["ids"]:
            exists = item_id in self.items
            if request.body["action"] == "delete" and exists:
                reply = self._delete(request, item_id)
            else:
                reply = self.move(item_id, request.body["action"]) if exists else _not_found()
            results.append({"id": item_id, "ok": reply.status < 400, **(reply.body or {})})
        return Reply(200, {"results": results})

    def _export(self, request: Request, item_id: str) -> Reply:
        key = request.body["export_key"]
        export = self.exports.get(key)
        if export and export["asked"] != request.body:
            return refusal(422, "IDEMPOTENCY_KEY_REUSED", "The key was used for another request.")
        if export is None:
            move_refusal = (
                self.move(item_id, "export") if self.items[item_id]["status"] not in MOVES["export"][0] else None
            )
            if move_refusal:
                return move_refusal
            self.exports[key] = export = self._new_export(item_id, request.body)
        elif export["status"] == "FAILED":
            export["status"] = "RUNNING"
        return self._export_now(request, item_id, key)

    def _new_export(self, item_id: str, body: dict[str, Any]) -> dict[str, Any]:
        options = body.get("options", {})
        meta = {**options, "card_version": body.get("card_version", 1), "formats": body["formats"]}
        about = {"item": item_id, "asked": body, "artifact_type": "export", "status": "RUNNING", "version": 1}
        payload = {"files": [], "export_key": body["export_key"]}
        return {**about, "created_at": samples.AT, "meta": meta, "payload": payload, "waits": self.waits}

    def _export_now(self, _: Request, item_id: str, key: str) -> Reply:
        export = self.exports.get(key)
        if export is None:
            return _not_found("export")
        if export["status"] == "RUNNING" and export["waits"] > 0:
            export["waits"] -= 1
            place = f"/items/{item_id}/exports/{key}"
            return Reply(202, {"item": self.items[item_id], "export": export}, {"Location": place})
        if export["status"] == "RUNNING":
            self._end(export, item_id, key)
        return Reply(200, {"item": self.items[item_id], "export": export})

    def _end(self, export: dict[str, Any], item_id: str, key: str) -> None:
        failure, self.fails = self.fails, None
        export["status"] = "FAILED" if failure else "DONE"
        export.pop("failure", None)
        export |= {"failure": failure["failure"]} if failure else {}
        formats = failure["made"] if failure else export["asked"]["formats"]
        export["payload"]["files"] = [self._file(item_id, key, file_format) for file_format in formats]
        self.items[item_id]["status"] = "FAILED_EXPORT" if failure else "SHIPPED"

    def _file(self, item_id: str, key: str, form: str) -> dict[str, Any]:
        name = "caption.txt" if form == "caption" else f"card.{form}"
        body = self.blobs.setdefault(name, f"{form} of {item_id}".encode())
        place = f"exports/{item_id}/{key}/{name}"
        return {"type": form, "path": place, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}

    def _link(self, _: Request, _item: str, _key: str, name: str) -> Reply:
        return Reply(302, {}, {"Location": f"{self.home}/blob/{name}?signed=yes"})

    def _blob(self, _: Request, name: str) -> Reply:
        disposition = self.dispositions.get(name, f'inline; filename="{name}"')
        return Reply(200, self.blobs[name], {"Content-Disposition": disposition})

    def _hook(self, request: Request) -> Reply:
        self.hooks.append({"id": f"01M7HK{len(self.hooks):020d}", "status": "ACTIVE", "misses": 0, **request.body})
        return Reply(201, {"webhook": {**self.hooks[-1], "secret": "rdw_new"}})

    def _change_hook(self, request: Request, hook_id: str) -> Reply:
        (hook_row,) = (hook for hook in self.hooks if hook["id"] == hook_id)
        hook_row["status"] = "PAUSED" if request.body["paused"] else "ACTIVE"
        return Reply(200, {"webhook": hook_row})

    def _drop_hook(self, _: Request, hook_id: str) -> Reply:
        self.hooks = [hook for hook in self.hooks if hook["id"] != hook_id]
        return Reply(204, None)

    def _deliver(self, *_: Any) -> Reply:
        delivery = {"id": "01M7DV00000000000000000000", "event": "webhook.test", "status": "WAITING", "attempts": []}
        self.deliveries.insert(0, {**delivery, "created_at": samples.AT})
        return Reply(202, {"delivery": self.deliveries[0]})

    def _token(self, request: Request) -> Reply:
        token = {"id": f"t{len(self.tokens)}", "scopes": ["read", "write"], **request.body, "created_at": samples.AT}
        token |= {"expires_at": "2027-11-18T12:00:00.000Z", "current": False}
        token.pop("days", None)
        self.tokens.append(token)
        return Reply(201, {"token": {**token, "secret": "rdo_new"}})

    def _revoke(self, _: Request, token_id: str) -> Reply:
        before = len(self.tokens)
        self.tokens = [token for token in self.tokens if token["id"] != token_id]
        return Reply(204) if len(self.tokens) < before else _not_found("token")


def _not_found(what: str = "item") -> Reply:
    return refusal(404, "NOT_FOUND", f"This {what} does not exist.")


def _matches(row: dict[str, Any], query: dict[str, list[str]]) -> bool:
    for name in ("status", "priority", "source_type"):
        values = query.get(name)
        failed = values and "FAILED_*" in values and row["status"].startswith("FAILED_")
        if values and row.get(name) not in values and not failed:
            return False
    text = query.get("q", [""])[0].lower()
    return text in f"{row.get('title')} {row.get('domain')} {row['intent_text']}".lower()
