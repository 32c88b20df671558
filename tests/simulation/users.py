"""What people ask for. A client that gets no answer asks again, with the same key, as clients do."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from readdo.do import todo_acceptance
from readdo.do import transactions as works
from readdo.lifecycle.advance import living
from readdo.lifecycle.item import CAPTURED, ITEM, PROCESSING, QUEUED
from readdo.lifecycle.machine import USER
from readdo.lifecycle.write import OutcomeUnknown
from readdo.read import exports, item_commands, item_deletion, item_edits, item_transactions, views
from readdo.read.capture import capture
from readdo.read.capture_request import CaptureRequest
from readdo.store import artifacts, history, inbox, keys
from readdo.store.exports import exports_of
from readdo.web import errors
from simulation import makers
from simulation.client_answers import Told
from simulation.stage import Crash, Violation

TRIES, PATIENCE = 4, 29.0  # as the gateway's
TRANSIENT = (OutcomeUnknown, ClientError, BotoCoreError)
OWNERS = ("ada", "魏")
IN_FLIGHT = (CAPTURED, QUEUED, PROCESSING)
MODES = ("process", "retry", "regenerate")
Ask = Callable[[], Any]


# What a person sees a button for, and how often it is pressed.
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
        self.on = history_on
        self.rng = history_on.stage.rng
        self.told = Told()
        self.captures = captures  # of what is asked
        self.buttons = {**BUTTONS, **buttons}
        self.wishes: dict[str, exports.ExportRequest] = {}
        self.items: list[tuple[str, str]] = []  # owner and id of whatever was captured
        self._asks: dict[str, Callable[[str, str], Any]] = {
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
        """Each at a time of their own; often two at once."""
        at = 0.0
        for number in range(count):
            at += 0.0 if number > 1 and self.rng.random() < 0.4 else self.rng.choice(gaps)
            theme = self.on.theme
            first = self._visit if theme.works or theme.imports or theme.returns else self._capture
            self.on.stage.spawn("client", f"client {number}", self._visit if number else first, after=at)

    def _visit(self) -> None:
        """Mostly by a button that is shown; now and then by one that was shown a moment ago."""
        if self.rng.random() < self.on.theme.works:
            self.on.workers.visit(self.rng.choice(OWNERS))
            return
        if self.rng.random() < self.on.theme.backups:
            self.on.savers.visit(OWNERS[0])
            return
        if self.rng.random() < self.on.theme.returns:
            self.on.restorers.visit()
            return
        if self.rng.random() < self.on.theme.imports:
            self.on.importers.visit(OWNERS[0])
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
        shown = [name for name in ITEM.open_to(USER, row) if name in BUTTONS] if "status" in row else []
        names = shown if shown and self.rng.random() < 0.8 else list(BUTTONS)
        name = self.rng.choices(names, weights=[self.buttons[name] for name in names])[0]
        self._asks[name](owner, item_id)

    def _row(self, owner: str, item_id: str) -> dict[str, Any]:
        """As a page shows it that was loaded a moment ago."""
        found: dict[str, Any] = self.on.table.rows.get(keys.item(owner, item_id), {})
        return found

    def _watch(self, owner: str, item_id: str) -> None:
        for _ in range(12):
            if self._row(owner, item_id).get("status") not in IN_FLIGHT:
                return
            self.on.stage.sleep(4.0)

    def _sent(self, what: str, ask: Ask, **asks: Any) -> Any:
        """The answer, or None where it was a no in words, or none came."""
        stage = self.on.stage
        for _ in range(TRIES):
            call = stage.spawn("call", what, ask, asks={**asks, "what": what})
            if stage.wait_for(call, PATIENCE):
                if call.error is None:
                    return call.value
                if not isinstance(call.error, (*TRANSIENT, Crash)):
                    return self._refused(what, call.error)
            stage.seen["a client asks again"] += 1
            stage.sleep(self.rng.uniform(0.1, 3.0))
        return None

    def _refused(self, what: str, error: BaseException) -> None:
        told = errors.of(error) if isinstance(error, Exception) else None
        if told is None:
            raise Violation(f"{what}: {type(error).__name__} has no words for the one who asked: {error}") from error
        self.on.stage.seen[f"a no: {told.status}"] += 1
        self.on.stage.say(f"{what}: {told.status} {told.message}")

    def _key(self, name: str) -> str:
        """Now and then one that was used before."""
        return f"{name}-{self.rng.randrange(3)}" if self.rng.random() < 0.4 else f"{name}-{self.rng.getrandbits(40)}"

    def _capture(self) -> None:
        owner = self.rng.choice(OWNERS) if self.rng.random() < 0.2 else OWNERS[0]
        named = self._key("c") if self.rng.random() < 0.7 else ""
        place = self._place()
        wish = CaptureRequest(
            intent_text=self.rng.choice(("make our job queue safe", "让任务队列安全")),
            capture_id=named,
            process=self.rng.random() < 0.85,
            on_duplicate="new" if self.rng.random() < 0.2 else "join",
            **place,
        )
        now = self.on.stage.now
        found = self._sent("capture", lambda: capture(self.on.table, owner, wish, now()), owner=owner, named=named)
        if found is None:
            return
        self.told.captured(owner, named, found)
        self.on.stage.seen["captured" if found.new else "joined" if found.joined else "captured before"] += 1
        if (owner, found.item["id"]) not in self.items:
            self.items.append((owner, found.item["id"]))

    def _place(self) -> dict[str, Any]:
        if self.rng.random() < 0.5:
            return {"content": makers.TEXTS[self.rng.choice(("en", "zh"))]}
        found = {"url": self.rng.choice(makers.SITES)}
        return {**found, "content": makers.TEXTS["en"]} if self.rng.random() < 0.2 else found

    def _command(self, name: str, owner: str, item_id: str, build: Any, *, key: str = "", request: Any = None) -> Any:
        ask = item_transactions.Command(owner, item_id, name, key, request or {})
        now = self.on.stage.now
        return self._sent(
            name,
            lambda: item_transactions.carry_out(self.on.table, ask, build, now()),
            owner=owner,
            item=item_id,
            key=key,
        )

    def _process(self, owner: str, item_id: str) -> None:
        row = self._row(owner, item_id)
        shown = [mode for mode in MODES if row.get("status") in ITEM.sources(mode)]
        mode, key = self.rng.choice(shown or MODES), self._key("p")
        found = self._command("process", owner, item_id, item_commands.requeue(mode), key=key, request={"mode": mode})
        if found:
            self.told.processed(owner, key, found["item"])

    def _patch(self, owner: str, item_id: str) -> None:
        self._command("patch", owner, item_id, item_edits.patch({"intent_text": f"intent {self.rng.random()}"}, "*"))

    def _edit(self, owner: str, item_id: str) -> None:
        kind = self.rng.choice(item_edits.EDITABLE)
        payload = json.loads(makers.made("en")[kind])
        payload.pop("evidence", None) if kind == "todos" else payload.update(evidence=[])
        build = item_edits.edit(self.on.table, kind, payload, "*")
        found = self._command("edit", owner, item_id, build, key=self._key("e"), request={"kind": kind})
        if found:
            self.told.edited(owner, item_id, found["artifact"])

    def _unedit(self, owner: str, item_id: str) -> None:
        self.told.given_back.add(item_id)
        self._command("unedit", owner, item_id, item_edits.unedit(self.rng.choice(item_edits.EDITABLE)))

    def _accept(self, owner: str, item_id: str) -> None:
        """A todo of the version that is shown, or of one that was."""
        number, version = self.rng.randrange(1, 4), self._row(owner, item_id).get("versions", {}).get("todos", 1)
        now = self.on.stage.now

        def ask() -> Any:
            asked = works.CommandContext(self.on.table, owner, "accept", now())
            return todo_acceptance.accept(asked, item_id, number, version, "")

        self._sent("accept", ask, owner=owner, item=item_id)

    def _delete(self, owner: str, item_id: str) -> None:
        self.told.may_be_gone.add(item_id)
        if self.deleted(owner, item_id) and self.rng.random() < 0.7:
            self.items = [
                item for item in self.items if item != (owner, item_id)
            ]  # most people know what they have deleted

    def deleted(self, owner: str, item_id: str) -> bool:
        now = self.on.stage.now

        def ask() -> bool:
            gone = item_transactions.Command(owner, item_id, "delete")
            item_transactions.carry_out(self.on.table, gone, item_deletion.delete, now())
            item_deletion.at_once(self.on.table, owner, item_id)
            return True

        return bool(self._sent("delete", ask, owner=owner, item=item_id))

    def _export(self, owner: str, item_id: str) -> None:
        wish = self._wished(keys.inside(owner, item_id))
        now = self.on.stage.now

        def ask() -> Any:
            return exports.request_export(self.on.table, owner, item_id, wish, now())

        row = self._sent("export", ask, owner=owner, item=item_id, key=wish.key)
        if row is not None:
            self.told.exported(row)

    def _wished(self, inside: str) -> exports.ExportRequest:
        """One that has failed is asked for again, now and then."""
        rows = (row for key, row in self.on.table.rows.items() if key.pk == inside and key.sk.startswith("X#"))
        failed = [row["export_key"] for row in rows if row["status"] == "FAILED"]
        if failed and self.rng.random() < 0.8:
            return self.wishes[failed[0]]
        wish = exports.ExportRequest(self._key("x"), self.rng.choice((("png", "md"), ("md",))))
        self.wishes.setdefault(wish.key, wish)
        return wish

    def _look(self, owner: str, item_id: str) -> None:
        """As the page does: the list, and one item with all that belongs to it."""
        seen = self._sent("look", lambda: self._shown(owner, item_id), owner=owner, item=item_id)
        if seen:
            self.on.stage.seen["an item is looked at"] += 1
            self.told.looked(seen)

    def _shown(self, owner: str, item_id: str) -> dict[str, Any] | None:
        inbox.page(self.on.table, inbox.InboxQuery(owner))
        item = living(self.on.table.get(keys.item(owner, item_id)))
        if item is None:
            return None
        made = artifacts.shown(self.on.table, item)
        found = [views.export(row) for row in exports_of(self.on.table, owner, item_id)]
        return {"item": views.item(item), "made": made, "exports": found, "moves": history.whole(self.on.table, item)}
