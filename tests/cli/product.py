"""The product behind the server: as much of the contract as the client relies on, in a few dictionaries."""

import hashlib
import re
from collections.abc import Callable
from typing import Any

from . import samples
from .desk import Desk
from .wire import MOVES, Asked, Reply, actions, refusal


class Product:
    def __init__(self) -> None:
        self.home = ""
        self.items: dict[str, dict[str, Any]] = {}
        self.made: dict[str, dict[str, list[dict[str, Any]]]] = {}
        self.exports: dict[str, dict[str, Any]] = {}
        self.coming: dict[str, list[dict[str, Any]]] = {}  # what each next look at an item finds
        self.waits = 0  # how often an export says that it is still running
        self.fails: dict[str, Any] | None = None  # how an export ends, if not well
        self.blobs: dict[str, bytes] = {}
        self.said: dict[str, str] = {}  # file name → Content-Disposition
        self.tokens: list[dict[str, Any]] = []
        self.hooks: list[dict[str, Any]] = []
        self.deliveries: list[dict[str, Any]] = []
        self.keys: dict[str, Reply] = {}
        self.wrong: list[dict[str, str]] = []  # what is not right with the next payload
        self.page = 100
        self.desk = Desk()
        self.more: list[tuple[str, str, Callable[..., Reply]]] = []  # calls that few tests need

    def add(self, item_id: str, status: str = "READY", **more: Any) -> dict[str, Any]:
        self.items[item_id] = row = samples.item(item_id, status, **more)
        if "served_run_id" in row:
            self.made[item_id] = {kind: [a] for kind, a in samples.artifacts(item_id).items()}
        return row

    def answer(self, asked: Asked) -> Reply:
        key = asked.headers.get("Idempotency-Key")
        if key in self.keys:
            return self.keys[key]
        reply = self._route(asked)
        if key:
            self.keys[key] = reply
        return reply

    def _route(self, asked: Asked) -> Reply:
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
            match = re.fullmatch(pattern, asked.path) if method == asked.method else None
            if match:
                known = not asked.path.startswith("/items/") or match.groups() == () or match[1] in self.items
                return handle(asked, *match.groups()) if known else _missing()
        return _missing()

    def _capture(self, asked: Asked) -> Reply:
        body = asked.body
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

    def _list(self, asked: Asked) -> Reply:
        rows = [row for row in self.items.values() if _wanted(row, asked.query)]
        rows.sort(key=lambda row: row["id"], reverse=True)
        limit = min(self.page, int(asked.query.get("limit", ["20"])[0]))
        start = int(asked.query.get("cursor", ["0"])[0])
        more = str(start + limit) if start + limit < len(rows) else None
        return Reply(200, {"items": rows[start : start + limit], "next_cursor": more})

    def _show(self, asked: Asked, item_id: str) -> Reply:
        if self.coming.get(item_id):
            following = self.coming[item_id].pop(0)
            if following:
                self.items[item_id] |= following
                self.items[item_id]["version"] += 1
                if following.get("status") == "READY":
                    self.add(item_id, version=self.items[item_id]["version"])
        row = self.items[item_id]
        tag = f'"{row["version"]}-ab"'
        if asked.headers.get("If-None-Match") == tag:
            return Reply(304, None, {"ETag": tag})
        made = self.made.get(item_id, {})
        found: dict[str, Any] = {"item": row, "artifacts": {kind: _shown(versions) for kind, versions in made.items()}}
        found |= {"exports": [e for e in self.exports.values() if e["item"] == item_id]}
        found |= {"failure": row["failure"]} if "failure" in row else {}
        found["available_actions"] = actions(row)
        found |= self.desk.of_item(item_id)
        if "include_history" in asked.query:
            steps = (("user", "capture", "CAPTURED"), ("system:gate", "publish", "READY"))
            found["history"] = [{"at": samples.AT, "by": by, "trigger": what, "to": to} for by, what, to in steps]
        if "versions" in asked.query:
            found["versions"] = {k: [{**a, "shown": a is _shown(v)} for a in v] for k, v in made.items()}
        return Reply(200, found, {"ETag": tag})

    def _move(self, asked: Asked, item_id: str, call: str) -> Reply:
        trigger = {"RETRY": "retry", "REGENERATE": "regenerate"}.get((asked.body or {}).get("mode", ""), call)
        return self.move(item_id, trigger, 202 if call == "process" else 200)

    def move(self, item_id: str, trigger: str, status: int = 200) -> Reply:
        row = self.items[item_id]
        sources, target, code = MOVES[trigger]
        if row["status"] not in sources:
            listed = f"What can be done now: {', '.join(a['action'] for a in actions(row))}."
            words = f"An item that is {row['status']} cannot be asked to {trigger}. {listed}"
            return refusal(409, code, words, status=row["status"], available_actions=actions(row))
        row["status"] = target
        row["version"] += 1
        row.pop("failure", None)
        return Reply(status, {"item": row})

    def _patch(self, asked: Asked, item_id: str) -> Reply:
        row = self.items[item_id]
        if asked.headers.get("If-Match", "").strip('"').split("-")[0] not in ("*", str(row["version"])):
            return refusal(412, "VERSION_MISMATCH", "The item has changed since you read it.", version=row["version"])
        if self.wrong:
            return self._refuse()
        row |= {**asked.body, "version": row["version"] + 1}
        return Reply(200, {"item": row})

    def _put(self, asked: Asked, item_id: str, kind: str) -> Reply:
        versions = self.made[item_id][kind]
        if asked.headers.get("If-Match") != str(_shown(versions)["version"]):
            return refusal(412, "VERSION_MISMATCH", f"The {kind} has changed since you read it.")
        if self.wrong:
            return self._refuse()
        versions.append(samples.artifact(kind, asked.body, len(versions) + 1, "user"))
        row = self.items[item_id]
        row["edited"] = sorted({*row.get("edited", []), kind})
        return Reply(201, {"item": row, "artifact": versions[-1]})

    def _refuse(self) -> Reply:
        wrong, self.wrong = self.wrong, []
        return refusal(400, "VALIDATION_ERROR", "; ".join(w["message"] for w in wrong), fields=wrong)

    def _undo(self, _: Asked, item_id: str, kind: str) -> Reply:
        self.made[item_id][kind] = self.made[item_id][kind][:1]
        row = self.items[item_id]
        row["edited"] = [name for name in row.pop("edited", []) if name != kind]
        if not row["edited"]:
            del row["edited"]
        return Reply(204)

    def _version(self, _: Asked, item_id: str, kind: str, number: str) -> Reply:
        found = [a for a in self.made[item_id][kind] if str(a["version"]) == number]
        return Reply(200, {"artifact": found[0]}) if found else _missing("version")

    def _delete(self, _: Asked, item_id: str) -> Reply:
        if self.items[item_id]["status"] == "PROCESSING":
            return refusal(409, "PROCESSING_IN_PROGRESS", "The item is being worked on.", available_actions=[])
        del self.items[item_id]
        return Reply(204)

    def _batch(self, asked: Asked) -> Reply:
        results = []
        for item_id in asked.body["ids"]:
            known = item_id in self.items
            if asked.body["action"] == "delete" and known:
                reply = self._delete(asked, item_id)
            else:
                reply = self.move(item_id, asked.body["action"]) if known else _missing()
            results.append({"id": item_id, "ok": reply.status < 400, **(reply.body or {})})
        return Reply(200, {"results": results})

    def _export(self, asked: Asked, item_id: str) -> Reply:
        key = asked.body["export_key"]
        export = self.exports.get(key)
        if export and export["asked"] != asked.body:
            return refusal(422, "IDEMPOTENCY_KEY_REUSED", "The key was used for another request.")
        if export is None:
            refused = self.move(item_id, "export") if self.items[item_id]["status"] not in MOVES["export"][0] else None
            if refused:
                return refused
            self.exports[key] = export = self._new_export(item_id, asked.body)
        elif export["status"] == "FAILED":
            export["status"] = "RUNNING"
        return self._export_now(asked, item_id, key)

    def _new_export(self, item_id: str, body: dict[str, Any]) -> dict[str, Any]:
        options = body.get("options", {})
        meta = {**options, "card_version": body.get("card_version", 1), "formats": body["formats"]}
        about = {"item": item_id, "asked": body, "artifact_type": "export", "status": "RUNNING", "version": 1}
        payload = {"files": [], "export_key": body["export_key"]}
        return {**about, "created_at": samples.AT, "meta": meta, "payload": payload, "waits": self.waits}

    def _export_now(self, _: Asked, item_id: str, key: str) -> Reply:
        export = self.exports.get(key)
        if export is None:
            return _missing("export")
        if export["status"] == "RUNNING" and export["waits"] > 0:
            export["waits"] -= 1
            place = f"/items/{item_id}/exports/{key}"
            return Reply(202, {"item": self.items[item_id], "export": export}, {"Location": place})
        if export["status"] == "RUNNING":
            self._end(export, item_id, key)
        return Reply(200, {"item": self.items[item_id], "export": export})

    def _end(self, export: dict[str, Any], item_id: str, key: str) -> None:
        lost, self.fails = self.fails, None
        export["status"] = "FAILED" if lost else "DONE"
        export.pop("failure", None)
        export |= {"failure": lost["failure"]} if lost else {}
        forms = lost["made"] if lost else export["asked"]["formats"]
        export["payload"]["files"] = [self._file(item_id, key, form) for form in forms]
        self.items[item_id]["status"] = "FAILED_EXPORT" if lost else "SHIPPED"

    def _file(self, item_id: str, key: str, form: str) -> dict[str, Any]:
        name = "caption.txt" if form == "caption" else f"card.{form}"
        body = self.blobs.setdefault(name, f"{form} of {item_id}".encode())
        place = f"exports/{item_id}/{key}/{name}"
        return {"type": form, "path": place, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}

    def _link(self, _: Asked, _item: str, _key: str, name: str) -> Reply:
        return Reply(302, {}, {"Location": f"{self.home}/blob/{name}?signed=yes"})

    def _blob(self, _: Asked, name: str) -> Reply:
        return Reply(200, self.blobs[name], {"Content-Disposition": self.said.get(name, f'inline; filename="{name}"')})

    def _hook(self, asked: Asked) -> Reply:
        self.hooks.append({"id": f"01M7HK{len(self.hooks):020d}", "status": "ACTIVE", "misses": 0, **asked.body})
        return Reply(201, {"webhook": {**self.hooks[-1], "secret": "rdw_new"}})

    def _change_hook(self, asked: Asked, hook_id: str) -> Reply:
        (found,) = (hook for hook in self.hooks if hook["id"] == hook_id)
        found["status"] = "PAUSED" if asked.body["paused"] else "ACTIVE"
        return Reply(200, {"webhook": found})

    def _drop_hook(self, _: Asked, hook_id: str) -> Reply:
        self.hooks = [hook for hook in self.hooks if hook["id"] != hook_id]
        return Reply(204, None)

    def _deliver(self, *_: Any) -> Reply:
        made = {"id": "01M7DV00000000000000000000", "event": "webhook.test", "status": "WAITING", "attempts": []}
        self.deliveries.insert(0, {**made, "created_at": samples.AT})
        return Reply(202, {"delivery": self.deliveries[0]})

    def _token(self, asked: Asked) -> Reply:
        token = {"id": f"t{len(self.tokens)}", "scopes": ["read", "write"], **asked.body, "created_at": samples.AT}
        token |= {"expires_at": "2027-11-18T12:00:00.000Z", "current": False}
        token.pop("days", None)
        self.tokens.append(token)
        return Reply(201, {"token": {**token, "secret": "rdo_new"}})

    def _revoke(self, _: Asked, token_id: str) -> Reply:
        kept = [token for token in self.tokens if token["id"] != token_id]
        if len(kept) == len(self.tokens):
            return _missing("token")
        self.tokens = kept
        return Reply(204)


def _shown(versions: list[dict[str, Any]]) -> dict[str, Any]:
    return versions[-1]


def _missing(what: str = "item") -> Reply:
    return refusal(404, "NOT_FOUND", f"There is no such {what} here.")


def _wanted(row: dict[str, Any], query: dict[str, list[str]]) -> bool:
    for name in ("status", "priority", "source_type"):
        asked = query.get(name)
        if asked and row.get(name) not in asked and not ("FAILED_*" in asked and row["status"].startswith("FAILED_")):
            return False
    text = query.get("q", [""])[0].lower()
    return text in f"{row.get('title')} {row.get('domain')} {row['intent_text']}".lower()
