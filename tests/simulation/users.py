"""Users of the simulation. A client without an answer retries with the same key."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from readdo.api.registry import to_api_error
from readdo.do import todo_acceptance
from readdo.lifecycle.advance import living
from readdo.lifecycle.item import CAPTURED, ITEM, PROCESSING, QUEUED
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import OutcomeUnknown
from readdo.read import (
    artifacts,
    exports,
    history,
    inbox,
    item_commands,
    item_deletion,
    item_edits,
    item_keys,
    item_transactions,
    views,
)
from readdo.read.capture import capture
from readdo.read.exports import exports_of
from readdo.read.item_rows import CaptureRequest
from readdo.store import commands as works
from simulation import makers
from simulation.client_answers import ClientAnswers
from simulation.stage import Crash, Violation

TRIES, PATIENCE = 4, 29.0  # the gateway's timeout
TRANSIENT = (OutcomeUnknown, ClientError, BotoCoreError)
OWNERS = ("ada", "魏")
IN_FLIGHT = (CAPTURED, QUEUED, PROCESSING)
MODES = ("process", "retry", "regenerate")
Ask = Callable[[], Any]


# Buttons that a user sees, and their weights.
BUTTONS = {
    "export": 10,
    "edit": 6,
    "process": 6,
    "retry": 4,
    "regenerate": 8,
    "keep": 150,
    "unarchive": 10,
    "unedit": 30,
    "patch": 2,
    "ship": 2,
    "archive": 2,
    "archive_failure": 2,
    "unarchive_anew": 3,
    "delete": 1,
    "accept": 2,
}


class Users:
    def __init__(self, history_on: Any, captures: float, buttons: Mapping[str, int]) -> None:
        self.history = history_on
        self.rng = history_on.stage.rng
        self.answers = ClientAnswers()
        self.captures = captures  # share of captures in the requests
        self.buttons = {**BUTTONS, **buttons}
        self.export_requests: dict[str, exports.ExportRequest] = {}
        self.items: list[tuple[str, str]] = []  # (owner, id) of each captured item
        self._actions: dict[str, Callable[[str, str], Any]] = {
            **dict.fromkeys(("process", "retry", "regenerate"), self._process),
            "export": self._export,
            "archive": lambda owner, item: self._command("archive", owner, item, item_commands.archive(None)),
            "archive_failure": lambda owner, item: self._command("archive", owner, item, item_commands.archive(None)),
            "unarchive": lambda owner, item: self._command(
                "unarchive", owner, item, item_commands.unarchive, key=self._key("u")
            ),
            "unarchive_anew": lambda owner, item: self._command("unarchive", owner, item, item_commands.unarchive_anew),
            "ship": lambda owner, item: self._command("ship", owner, item, item_commands.ship),
            "keep": lambda owner, item: self._command("keep", owner, item, item_commands.keep),
            "edit": self._edit,
            "unedit": self._unedit,
            "patch": self._patch,
            "delete": self._delete,
            "accept": self._accept,
        }

    def come(self, count: int, gaps: Sequence[float]) -> None:
        """Start the clients at random times, often two at once."""
        at = 0.0
        for number in range(count):
            at += 0.0 if number > 1 and self.rng.random() < 0.4 else self.rng.choice(gaps)
            theme = self.history.theme
            first = self._visit if theme.works or theme.imports or theme.returns else self._capture
            self.history.stage.spawn("client", f"client {number}", self._visit if number else first, after=at)

    def _visit(self) -> None:
        """Make a request: mostly by a visible button, sometimes by one that was visible before."""
        if self.rng.random() < self.history.theme.works:
            self.history.workers.visit(self.rng.choice(OWNERS))
            return
        if self.rng.random() < self.history.theme.backups:
            self.history.savers.visit(OWNERS[0])
            return
        if self.rng.random() < self.history.theme.returns:
            self.history.restorers.visit()
            return
        if self.rng.random() < self.history.theme.imports:
            self.history.importers.visit(OWNERS[0])
            return
        if self.rng.random() < self.captures:
            self._capture()
        if not self.items:
            return
        owner, item_id = self.rng.choice(self.items)
        if self.rng.random() < 0.7:
            self._watch(owner, item_id)
        if self.rng.random() < 0.1:
            self._look(owner, item_id)
            return
        row = self._row(owner, item_id)
        visible = [name for name in ITEM.open_to(USER, row) if name in BUTTONS] if "status" in row else []
        names = visible if visible and self.rng.random() < 0.8 else list(BUTTONS)
        name = self.rng.choices(names, weights=[self.buttons[name] for name in names])[0]
        self._actions[name](owner, item_id)

    def _row(self, owner: str, item_id: str) -> dict[str, Any]:
        """Return the row as an already loaded page shows it."""
        row: dict[str, Any] = self.history.table.rows.get(item_keys.item(owner, item_id), {})
        return row

    def _watch(self, owner: str, item_id: str) -> None:
        for _ in range(12):
            if self._row(owner, item_id).get("status") not in IN_FLIGHT:
                return
            self.history.stage.sleep(4.0)

    def _request(self, what: str, ask: Ask, **asks: Any) -> Any:
        """Return the answer, or None if the request was refused or not answered."""
        stage = self.history.stage
        for _ in range(TRIES):
            call = stage.spawn("call", what, ask, asks={**asks, "what": what})
            if stage.wait_for(call, PATIENCE):
                if call.error is None:
                    return call.value
                if not isinstance(call.error, (*TRANSIENT, Crash)):
                    return self._check_refusal(what, call.error)
            stage.seen["a client asks again"] += 1
            stage.sleep(self.rng.uniform(0.1, 3.0))
        return None

    def _check_refusal(self, what: str, error: BaseException) -> None:
        refusal = to_api_error(error) if isinstance(error, Exception) else None
        if refusal is None:
            raise Violation(f"{what}: {type(error).__name__} has no words for the one who asked: {error}") from error
        self.history.stage.seen[f"a no: {refusal.status}"] += 1
        self.history.stage.say(f"{what}: {refusal.status} {refusal.message}")

    def _key(self, name: str) -> str:
        """Return an idempotency key, sometimes one that was used before."""
        return f"{name}-{self.rng.randrange(3)}" if self.rng.random() < 0.4 else f"{name}-{self.rng.getrandbits(40)}"

    def _capture(self) -> None:
        owner = self.rng.choice(OWNERS) if self.rng.random() < 0.2 else OWNERS[0]
        name = self._key("c") if self.rng.random() < 0.7 else ""
        source = self._random_source()
        request = CaptureRequest(
            intent_text=self.rng.choice(("make our job queue safe", "让任务队列安全")),
            capture_id=name,
            process=self.rng.random() < 0.85,
            on_duplicate="new" if self.rng.random() < 0.2 else "join",
            **source,
        )
        now = self.history.stage.now
        result = self._request(
            "capture", lambda: capture(self.history.table, owner, request, now()), owner=owner, named=name
        )
        if result is None:
            return
        self.answers.add_capture(owner, name, result)
        self.history.stage.seen["captured" if result.new else "joined" if result.joined else "captured before"] += 1
        if (owner, result.item["id"]) not in self.items:
            self.items.append((owner, result.item["id"]))

    def _random_source(self) -> dict[str, Any]:
        if self.rng.random() < 0.5:
            return {"content": makers.TEXTS[self.rng.choice(("en", "zh"))]}
        source = {"url": self.rng.choice(makers.SITES)}
        return {**source, "content": makers.TEXTS["en"]} if self.rng.random() < 0.2 else source

    def _command(self, name: str, owner: str, item_id: str, build: Any, *, key: str = "", request: Any = None) -> Any:
        command = item_transactions.Command(owner, item_id, name, key, request or {})
        now = self.history.stage.now
        return self._request(
            name,
            lambda: item_transactions.carry_out(self.history.table, command, build, now()),
            owner=owner,
            item=item_id,
            key=key,
        )

    def _process(self, owner: str, item_id: str) -> None:
        row = self._row(owner, item_id)
        possible = [mode for mode in MODES if row.get("status") in ITEM.sources(mode)]
        mode, key = self.rng.choice(possible or MODES), self._key("p")
        result = self._command("process", owner, item_id, item_commands.requeue(mode), key=key, request={"mode": mode})
        if result:
            self.answers.add_processing(owner, key, result["item"])

    def _patch(self, owner: str, item_id: str) -> None:
        self._command("patch", owner, item_id, item_edits.patch({"intent_text": f"intent {self.rng.random()}"}, "*"))

    def _edit(self, owner: str, item_id: str) -> None:
        kind = self.rng.choice(item_edits.EDITABLE)
        payload = json.loads(makers.artifacts_in("en")[kind])
        payload.pop("evidence", None) if kind == "todos" else payload.update(evidence=[])
        build = item_edits.edit(self.history.table, kind, payload, "*")
        response = self._command("edit", owner, item_id, build, key=self._key("e"), request={"kind": kind})
        if response:
            self.answers.add_edit(owner, item_id, response["artifact"])

    def _unedit(self, owner: str, item_id: str) -> None:
        self.answers.unedited.add(item_id)
        self._command("unedit", owner, item_id, item_edits.unedit(self.rng.choice(item_edits.EDITABLE)))

    def _accept(self, owner: str, item_id: str) -> None:
        """Accept a todo of the current version or of an earlier one."""
        number, version = self.rng.randrange(1, 4), self._row(owner, item_id).get("versions", {}).get("todos", 1)
        now = self.history.stage.now

        def ask() -> Any:
            command_context = works.CommandContext(self.history.table, owner, "accept", now())
            return todo_acceptance.accept(command_context, item_id, number, version, "")

        self._request("accept", ask, owner=owner, item=item_id)

    def _delete(self, owner: str, item_id: str) -> None:
        self.answers.may_be_gone.add(item_id)
        if self.delete_item(owner, item_id) and self.rng.random() < 0.7:
            self.items = [
                item for item in self.items if item != (owner, item_id)
            ]  # most users remember what they deleted

    def delete_item(self, owner: str, item_id: str) -> bool:
        now = self.history.stage.now

        def ask() -> bool:
            command = item_transactions.Command(owner, item_id, "delete")
            item_transactions.carry_out(self.history.table, command, item_deletion.delete, now())
            item_deletion.at_once(self.history.table, owner, item_id)
            return True

        return bool(self._request("delete", ask, owner=owner, item=item_id))

    def _export(self, owner: str, item_id: str) -> None:
        request = self._export_request(item_keys.item_partition(owner, item_id))
        now = self.history.stage.now

        def ask() -> Any:
            return exports.request_export(self.history.table, owner, item_id, request, now())

        row = self._request("export", ask, owner=owner, item=item_id, key=request.key)
        if row is not None:
            self.answers.add_export(row)

    def _export_request(self, inside: str) -> exports.ExportRequest:
        """Return an export request, sometimes the one that failed."""
        rows = (row for key, row in self.history.table.rows.items() if key.pk == inside and key.sk.startswith("X#"))
        failed = [row["export_key"] for row in rows if row["status"] == "FAILED"]
        if failed and self.rng.random() < 0.8:
            return self.export_requests[failed[0]]
        request = exports.ExportRequest(self._key("x"), self.rng.choice((("png", "md"), ("md",))))
        self.export_requests.setdefault(request.key, request)
        return request

    def _look(self, owner: str, item_id: str) -> None:
        """Load the list and one item with all its parts, as the page does."""
        page = self._request("look", lambda: self._load_page(owner, item_id), owner=owner, item=item_id)
        if page:
            self.history.stage.seen["an item is looked at"] += 1
            self.answers.add_page(page)

    def _load_page(self, owner: str, item_id: str) -> dict[str, Any] | None:
        inbox.page(self.history.table, inbox.InboxQuery(owner))
        item = living(self.history.table.get(item_keys.item(owner, item_id)))
        if item is None:
            return None
        made = artifacts.current_artifacts(self.history.table, item)
        finished = [views.export(row) for row in exports_of(self.history.table, owner, item_id)]
        return {
            "item": views.item(item),
            "made": made,
            "exports": finished,
            "moves": history.full_history(self.history.table, item),
        }
