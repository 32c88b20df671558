"""A whole story is played on the real handlers, and every call that a room makes is held against its rights.

moto asks for no rights, so without this a right that is missing is found on AWS. Used but not granted is an error;
granted but not used must be explained below. Each row that is touched lies in a partition that the room's role reaches.
What it cannot see: calls on ways that the story does not take (a role that is too small only there), and presigned
links, which are used by the client with the room's rights.
"""

import importlib
import json
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.client import BaseClient
from rights_asked import asked_for, rows_asked_for
from rights_by_page import look
from rights_explained import EXPLAINED
from rights_mirrored import mirror
from template_rights import Right, reaches, resources, rights_of_functions, role_of

from readdo import clock, files
from readdo.lifecycle.write import Write
from readdo.store import keys, tokens
from support import import_helpers, template
from support.reader import Reader
from support.stream import announced
from support.world import TEXT, World

AT_WORK: ContextVar[str] = ContextVar("the room at work", default="")


@pytest.fixture
def beyond() -> set[tuple[str, str, str]]:
    """Room, right and partition of what a role does not reach."""
    return set()


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch, beyond: set[tuple[str, str, str]]) -> dict[str, set[Right]]:
    found: dict[str, set[Right]] = {}
    roles = {template.room(name): role_of(of) for name, of in resources("AWS::Lambda::Function").items()}
    call_api = BaseClient._make_api_call

    def noted(self: BaseClient, operation: str, ask: dict[str, Any]) -> Any:
        if busy := AT_WORK.get():
            service = self.meta.service_model.service_name
            found.setdefault(busy, set()).update(asked_for(service, operation, ask))
            rows = rows_asked_for(operation, ask) if service == "dynamodb" else set()
            beyond.update((busy, *each) for each in rows if not reaches(roles[busy], *each))
        return call_api(self, operation, ask)

    def at_work(room_of: Callable[..., str], method: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            before = AT_WORK.set(room_of(*args))
            try:
                return method(self, *args, **kwargs)
            finally:
                AT_WORK.reset(before)

        return call

    monkeypatch.setattr(BaseClient, "_make_api_call", noted)
    monkeypatch.setattr(World, "invoke", at_work(lambda room, *_: room, World.invoke))
    monkeypatch.setattr(World, "api", at_work(lambda *_: "http_api", World.api))
    monkeypatch.setattr(Reader, "ask", at_work(lambda *_: "pages", Reader.ask))
    return found


def later(monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
    monkeypatch.setattr(clock, "now", lambda: clock.stamp(datetime.now(UTC) + timedelta(hours=hours)))


def long_history(made: World, item_id: str) -> None:
    """More than the item carries: whoever touches it next puts the older half aside."""
    entry = {"at": "2026-01-01T00:00:00.000Z", "by": "user", "what": "keep", "to": "READY"}
    before = AT_WORK.set("")
    made.table.write(Write(keys.item(made.owner, item_id), sets={"history": [entry] * 60}))
    AT_WORK.reset(before)


def after_a_long_history(made: World) -> Callable[..., Any]:
    def instead(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        long_history(made, event["item"])
        return handler(event)

    return instead


def broken(*_: Any) -> Any:
    raise RuntimeError("the room fell over")


def play(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read, shown, kept, exported, failed and found again by the heartbeat."""
    one = {"intent_text": "save it", "capture_id": "0b1d9d4e-0000-4000-8000-000000000000", "process": False}
    link = made.api("POST", "/capture", {**one, "url": "https://example.org/a"}).json["item"]["id"]
    assert made.api("POST", "/capture", {**one, "content": TEXT}).json["item"]["id"] == link
    item_id = made.capture(content=TEXT * 20)
    assert made.settled(item_id)["status"] == "READY"
    for path in ("/items?sort=created_desc", "/items", f"/items/{item_id}?include_history=true"):
        assert made.api("GET", path).status == 200
    made.instead["lease"] = after_a_long_history(made)
    assert made.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"}, key="again").status == 202
    assert made.settled(item_id)["status"] == "READY"
    _export(made, item_id)
    assert made.api("POST", f"/items/{link}/archive", {}).status == 200
    told = _tell(made)
    assert made.api("GET", "/export-all").status == 202
    made.settle()
    assert made.api("GET", "/backups").json["backups"][0]["status"] == "DONE"
    _bring_back(made, "another")
    _lose(made, monkeypatch)
    assert made.api("DELETE", f"/webhooks/{told}").status == 204
    look(made, link)
    _give_away(made, monkeypatch)
    _import(made, monkeypatch)
    _work(made, monkeypatch)
    mirror(made, monkeypatch)


def _tell(made: World) -> str:
    """A webhook that nobody answers for: its delivery stays due."""
    added = made.api("POST", "/webhooks", {"url": "https://hooks.example.com/"}, key="hook").json["webhook"]["id"]
    for change in ({"paused": True}, {"paused": False}):
        assert made.api("PATCH", f"/webhooks/{added}", change).status == 200
    assert made.api("POST", f"/webhooks/{added}/test").status == 202
    assert made.api("GET", "/webhooks").status == 200
    (delivery,) = made.api("GET", f"/webhooks/{added}/deliveries").json["deliveries"]
    assert delivery["attempts"], "it was tried at once"
    item_id = made.capture(process=False)
    assert announced(made, item_id) == {"batchItemFailures": []}
    assert made.api("DELETE", f"/items/{item_id}").status == 204
    return str(added)


def _import(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be read; then one whose worker falls over, and that is gone on with."""
    reader = Reader(made)
    page = reader.bring(reader.look("/my/imports").form("/my/imports"), "links.txt", b"https://example.org/", rests="1")
    assert page.status == 200
    made.settle()
    assert "done" in reader.look(page.path).words(".state")
    bad = import_helpers.begin(made, "\n\n", "none.txt", process=False)
    made.settle()
    assert import_helpers.look(made, bad)["status"] == "FAILED"
    made.instead |= {"import_lines": broken}
    made.instead.pop("record_failure", None)
    text = {"url": "https://example.org/in", "content": TEXT * 20}
    other = {"url": "https://example.org/old", "archived": True}
    began = import_helpers.begin(made, f"{json.dumps(text)}\n{json.dumps(other)}\n", "two.json")
    made.settle()
    del made.instead["import_lines"]
    later(monkeypatch, 49)
    assert made.heartbeat()["go_on"] == 1
    made.settle()
    assert [line["result"] for line in import_helpers.lines(made, began)] == ["captured"] * 2
    assert made.api("GET", "/imports").status == 200


def _give_away(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edited, given to another token, deleted at once and a day later."""
    made.instead.clear()
    page = {"url": "https://example.org/b", "intent_text": "delete it", "content": TEXT * 20}
    item_id = made.api("POST", "/capture", page).json["item"]["id"]
    assert made.api("POST", "/capture", page).json["joined"]
    assert made.settled(item_id)["status"] == "READY"
    card = made.api("GET", f"/items/{item_id}?versions=true").json["artifacts"]["card"]
    longer = {**card["payload"], "caption": "再见。" * 200}
    assert made.api("PUT", f"/items/{item_id}/artifacts/card", longer, if_match="*").status == 201
    assert made.api("POST", f"/items/{item_id}/export", {"export_key": "k"}).status == 202
    made.settle()
    token = made.api("POST", "/tokens", {"name": "spare"}).json["token"]
    assert made.api("DELETE", f"/tokens/{token['id']}").status == 204
    assert made.api("DELETE", f"/items/{item_id}").status == 204
    later(monkeypatch, 48)
    for kind in ("content", "artifacts", "exports"):
        files.put_once(f"{kind}/{made.owner}/{item_id}/late", b"by a step that came late", "text/plain")
    late = keys.of_run(made.owner, item_id, "card", "late")
    made.table.write(Write(late, "put", row={"type": "card"}))
    assert made.heartbeat()["sweep_away"] == 3  # two of them by the page
    later(monkeypatch, 48.5)
    assert made.heartbeat()["bury"] == 3


def _export(made: World, item_id: str) -> None:
    path = f"/items/{item_id}/export"
    made.instead["export"] = broken
    assert made.api("POST", path, {"export_key": "one"}).status == 202
    made.settle()
    del made.instead["export"]
    assert made.api("POST", path, {"export_key": "one"}).status == 202
    made.settle()
    assert made.item(item_id)["status"] == "SHIPPED"
    assert made.api("POST", path, {"export_key": "two", "formats": ["md"], "card_version": 2}).status == 202
    made.settle()
    assert made.api("POST", f"/items/{item_id}/archive", {}).status == 200
    for room in ("export", "record_failure"):
        _once_more(made, item_id, room)


def _once_more(made: World, item_id: str, room: str) -> None:
    """The end of an export whose files are there, and whose item has moved on."""
    place = keys.export(made.owner, item_id, "two")
    made.table.write(Write(place, sets={"files": {}, "status": "RUNNING"}))
    row = made.table.get(place) or {}
    names = {"owner": "owner", "item": "item", "export": "key_digest", "epoch": "epoch"}
    error = {"Error": "States.Timeout", "Cause": ""}
    made.invoke(room, {name: row[of] for name, of in names.items()} | {"error": error})


def _bring_back(made: World, owner: str) -> None:
    """The newest backup that is done, for another owner."""
    done = next(b for b in made.api("GET", "/backups").json["backups"] if b["status"] == "DONE")
    body = files.get(f"{(made.table.get(keys.backup(made.owner, done['id'])) or {})['file']['at']}")
    token = tokens.issue(made.table, owner, "brings back")
    offer = made.api("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)}, token=token)
    restore_id = offer.json["restore"]["id"]
    files.put_once(f"restores/{owner}/{restore_id}.zip", body, "application/zip")
    for item in made.api("GET", "/items").json["items"]:  # as if one of another backup had been given up
        made.table.write(Write(keys.of_user(owner, item["id"], "summary", 99), "put", row={"type": "summary"}))
    assert made.api("POST", f"/restores/{restore_id}/start", token=token).status == 202
    made.settle()


def _lose(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms that fall over without a word: what was begun is started again, an item and an export, and given up."""
    made.instead |= dict.fromkeys(("lease", "export", "backup", "restore", "record_failure"), broken)
    assert made.api("GET", "/export-all?fresh=true").status == 202
    _bring_back(made, "lost")
    ready = made.capture(process=False)
    lost = made.capture()
    made.settle()
    del made.instead["lease"]
    assert made.api("POST", f"/items/{ready}/process", {"mode": "PROCESS"}).status == 202
    assert made.settled(ready)["status"] == "READY"
    assert made.api("POST", f"/items/{ready}/export", {"export_key": "lost"}).status == 202
    made.settle()
    assert made.api("POST", f"/items/{ready}/archive", {}).status == 200
    done: set[str] = set()
    for hours in (1, 3, 5, 7):
        later(monkeypatch, hours)
        done |= set(made.heartbeat())
        made.settle()
    assert {"start_again", "give_up"} <= done, done
    assert made.item(lost)["status"] == "READY"


def _work(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task with a large payload and another that waits for it; a run with evidence, one that was not heard of, and
    all of it gone when its time is over."""
    made.instead.clear()
    payload = {"text": "要做的事。" * 2000}
    first = made.api("POST", "/tasks", {"intent": "runQA", "payload": payload}).json["task"]["id"]
    made.api("POST", "/tasks", {"intent": "runQA", "priority": "P0", "depends_on": [first]})
    run = made.api("POST", "/tasks/claim", {"worker": "w", "intents": ["runQA"]}).json["run"]["id"]
    file = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}
    for verb, body in (("start", {}), ("heartbeat", {}), ("evidence", file), ("complete", {"exit_code": 0})):
        assert made.api("POST", f"/runs/{run}/{verb}", body).status in (200, 201), verb
    for path in (
        f"/runs/{run}",
        "/runs",
        f"/tasks/{first}",
        "/tasks",
        "/health",
        "/metrics",
        f"/runs/{run}/evidence/1",
    ):
        assert made.api("GET", path).status in (200, 302), path
    assert made.api("POST", "/health/recount", {}).status == 200
    done: set[str] = set()
    for hours in (100, 101, 24 * 10, 24 * 50):
        later(monkeypatch, hours)
        done |= set(made.heartbeat())
        made.api("POST", "/tasks/claim", {"worker": "dead"})
    assert {"lift", "lapse", "file", "bury"} <= done, done


def test_no_room_makes_a_call_that_its_role_refuses_and_none_has_more_than_it_needs(
    made: World,
    used: dict[str, set[Right]],
    beyond: set[tuple[str, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    importlib.import_module("http_api")
    play(made, monkeypatch)
    assert beyond == set()
    granted = rights_of_functions()
    assert set(used) == set(granted), "the story does not call every room"
    assert {room: used[room] - granted[room] for room in used if used[room] - granted[room]} == {}
    unused = {room: granted[room] - used[room] for room in granted}
    assert {room: rights for room, rights in unused.items() if rights} == {
        room: set(rights) for room, rights in EXPLAINED.items()
    }
