"""Run a complete scenario on the real handlers and compare every AWS call with the rights.

moto checks no rights: without this test a missing right is found only on AWS. A right that is used but not granted is
an error; one that is granted but not used needs an entry in rights_explained. Each row must lie in a partition that
the role reaches. The test cannot see calls of code paths outside the scenario, nor presigned links, which the client
uses with the function's rights.
"""

import importlib
import json
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.client import BaseClient

from contracts.required_rights import required_rights, required_row_rights
from contracts.rights_by_page import use_page
from contracts.rights_explained import EXPLAINED
from contracts.rights_mirrored import run_mirror
from contracts.template_rights import Right, reaches, resources, rights_of_functions, role_of
from readdo import clock, files
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from readdo.store import tokens
from readdo.transfer import transfer_keys
from support import import_helpers, template
from support.collect_story import run_collect
from support.moto import moto_world
from support.proof_story import run_proof
from support.reader import Reader
from support.stream import announced
from support.thread_context import inherited_context
from support.world import TEXT, World

CURRENT_FUNCTION: ContextVar[str] = ContextVar("the room at work", default="")


@pytest.fixture
def beyond() -> set[tuple[str, str, str]]:
    """Set of (function, right, partition) that a role does not reach."""
    return set()


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch, beyond: set[tuple[str, str, str]]) -> dict[str, set[Right]]:
    used_rights: dict[str, set[Right]] = {}
    roles = {template.function_name(name): role_of(of) for name, of in resources("AWS::Lambda::Function").items()}
    call_api = BaseClient._make_api_call

    def record_call(self: BaseClient, operation: str, ask: dict[str, Any]) -> Any:
        if function := CURRENT_FUNCTION.get():
            service = self.meta.service_model.service_name
            used_rights.setdefault(function, set()).update(required_rights(service, operation, ask))
            rows = required_row_rights(operation, ask) if service == "dynamodb" else set()
            beyond.update((function, *each) for each in rows if not reaches(roles[function], *each))
        return call_api(self, operation, ask)

    def at_work(room_of: Callable[..., str], method: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            before = CURRENT_FUNCTION.set(room_of(*args))
            try:
                return method(self, *args, **kwargs)
            finally:
                CURRENT_FUNCTION.reset(before)

        return call

    monkeypatch.setattr(BaseClient, "_make_api_call", record_call)
    monkeypatch.setattr(World, "invoke", at_work(lambda room, *_: room, World.invoke))
    monkeypatch.setattr(World, "api", at_work(lambda *_: "http_api", World.api))
    monkeypatch.setattr(Reader, "ask", at_work(lambda *_: "pages", Reader.ask))
    return used_rights


def later(monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
    monkeypatch.setattr(clock, "now", lambda: clock.stamp(datetime.now(UTC) + timedelta(hours=hours)))


def long_history(world: World, item_id: str) -> None:
    """Give the item a history above the limit."""
    entry = {"at": "2026-01-01T00:00:00.000Z", "by": "user", "what": "keep", "to": "READY"}
    before = CURRENT_FUNCTION.set("")
    world.table.write(Write(item_keys.item(world.owner, item_id), sets={"history": [entry] * 60}))
    CURRENT_FUNCTION.reset(before)


def after_a_long_history(world: World) -> Callable[..., Any]:
    def instead(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        long_history(world, event["item"])
        return handler(event)

    return instead


def broken(*_: Any) -> Any:
    raise RuntimeError("the function crashed")


def play(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the scenario: process, list, edit, export, fail, and recover by the heartbeat."""
    request = {"intent_text": "save it", "capture_id": "0b1d9d4e-0000-4000-8000-000000000000", "process": False}
    link = world.api("POST", "/capture", {**request, "url": "https://example.org/a"}).json["item"]["id"]
    assert world.api("POST", "/capture", {**request, "content": TEXT}).json["item"]["id"] == link
    item_id = world.capture(content=TEXT * 20)
    assert world.settled(item_id)["status"] == "READY"
    for path in ("/items?sort=created_desc", "/items", f"/items/{item_id}?include_history=true"):
        assert world.api("GET", path).status == 200
    world.instead["lease"] = after_a_long_history(world)
    assert world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"}, key="again").status == 202
    assert world.settled(item_id)["status"] == "READY"
    _export(world, item_id)
    assert world.api("POST", f"/items/{link}/archive", {}).status == 200
    webhook_id = _use_webhook(world)
    assert world.api("GET", "/export-all").status == 202
    world.settle()
    assert world.api("GET", "/backups").json["backups"][0]["status"] == "DONE"
    _restore(world, "another")
    _crash_functions(world, monkeypatch)
    assert world.api("DELETE", f"/webhooks/{webhook_id}").status == 204
    use_page(world, link)
    _edit_and_delete(world, monkeypatch)
    _import(world, monkeypatch)
    _run_tasks(world, monkeypatch)
    run_mirror(world, monkeypatch)


def _use_webhook(world: World) -> str:
    """Add a webhook whose receiver does not answer, so that its delivery stays due."""
    webhook_id = world.api("POST", "/webhooks", {"url": "https://hooks.example.com/"}, key="hook").json["webhook"]["id"]
    for change in ({"paused": True}, {"paused": False}):
        assert world.api("PATCH", f"/webhooks/{webhook_id}", change).status == 200
    assert world.api("POST", f"/webhooks/{webhook_id}/test").status == 202
    assert world.api("GET", "/webhooks").status == 200
    (delivery,) = world.api("GET", f"/webhooks/{webhook_id}/deliveries").json["deliveries"]
    assert delivery["attempts"], "it was tried at once"
    item_id = world.capture(process=False)
    assert announced(world, item_id) == {"batchItemFailures": []}
    assert world.api("DELETE", f"/items/{item_id}").status == 204
    return str(webhook_id)


def _import(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import an unreadable file; then one whose worker crashes and that is resumed."""
    reader = Reader(world)
    page = reader.bring(reader.look("/my/imports").form("/my/imports"), "links.txt", b"https://example.org/", rests="1")
    assert page.status == 200
    world.settle()
    assert "done" in reader.look(page.path).words(".state")
    bad = import_helpers.start_import(world, "\n\n", "none.txt", process=False)
    world.settle()
    assert import_helpers.get_import(world, bad)["status"] == "FAILED"
    world.instead |= {"import_lines": broken}
    world.instead.pop("record_failure", None)
    text = {"url": "https://example.org/in", "content": TEXT * 20}
    other = {"url": "https://example.org/old", "archived": True}
    import_id = import_helpers.start_import(world, f"{json.dumps(text)}\n{json.dumps(other)}\n", "two.json")
    world.settle()
    del world.instead["import_lines"]
    later(monkeypatch, 49)
    assert world.heartbeat()["go_on"] == 1
    world.settle()
    assert [line["result"] for line in import_helpers.lines(world, import_id)] == ["captured"] * 2
    assert world.api("GET", "/imports").status == 200


def _edit_and_delete(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edit, create and revoke a token, delete; sweep now and a day later."""
    world.instead.clear()
    page = {"url": "https://example.org/b", "intent_text": "delete it", "content": TEXT * 20}
    item_id = world.api("POST", "/capture", page).json["item"]["id"]
    assert world.api("POST", "/capture", page).json["joined"]
    assert world.settled(item_id)["status"] == "READY"
    card = world.api("GET", f"/items/{item_id}?versions=true").json["artifacts"]["card"]
    longer = {**card["payload"], "caption": "再见。" * 200}
    assert world.api("PUT", f"/items/{item_id}/artifacts/card", longer, if_match="*").status == 201
    assert world.api("POST", f"/items/{item_id}/export", {"export_key": "k"}).status == 202
    world.settle()
    token = world.api("POST", "/tokens", {"name": "spare"}).json["token"]
    assert world.api("DELETE", f"/tokens/{token['id']}").status == 204
    assert world.api("DELETE", f"/items/{item_id}").status == 204
    later(monkeypatch, 48)
    for kind in ("content", "artifacts", "exports"):
        files.put_once(f"{kind}/{world.owner}/{item_id}/late", b"by a late step", "text/plain")
    late = item_keys.run_artifact(world.owner, item_id, "card", "late")
    world.table.write(Write(late, "put", row={"type": "card"}))
    assert world.heartbeat()["sweep_away"] == 4  # three of them from the page
    later(monkeypatch, 48.5)
    assert world.heartbeat()["bury"] == 3


def _export(world: World, item_id: str) -> None:
    path = f"/items/{item_id}/export"
    world.instead["export"] = broken
    assert world.api("POST", path, {"export_key": "one"}).status == 202
    world.settle()
    del world.instead["export"]
    assert world.api("POST", path, {"export_key": "one"}).status == 202
    world.settle()
    assert world.item(item_id)["status"] == "SHIPPED"
    assert world.api("POST", path, {"export_key": "two", "formats": ["md"], "card_version": 2}).status == 202
    world.settle()
    assert world.api("POST", f"/items/{item_id}/archive", {}).status == 200
    for room in ("export", "record_failure"):
        _once_more(world, item_id, room)


def _once_more(world: World, item_id: str, room: str) -> None:
    """Repeat the end of an export whose files exist and whose item has changed since."""
    key = item_keys.export(world.owner, item_id, "two")
    world.table.write(Write(key, sets={"files": {}, "status": "RUNNING"}))
    row = world.table.get(key) or {}
    names = {"owner": "owner", "item": "item", "export": "key_digest", "epoch": "epoch"}
    error = {"Error": "States.Timeout", "Cause": ""}
    world.invoke(room, {name: row[of] for name, of in names.items()} | {"error": error})


def _restore(world: World, owner: str) -> None:
    """Restore the newest finished backup for another owner."""
    done = next(b for b in world.api("GET", "/backups").json["backups"] if b["status"] == "DONE")
    backup = world.table.get(transfer_keys.backup(world.owner, done["id"])) or {}
    body = files.get(backup["file"]["at"])
    token = tokens.issue(world.table, owner, "brings back")
    offer = world.api("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)}, token=token)
    restore_id = offer.json["restore"]["id"]
    files.put_once(f"restores/{owner}/{restore_id}.zip", body, "application/zip")
    for item in world.api("GET", "/items").json["items"]:  # as if another restore had failed
        late = item_keys.user_artifact(owner, item["id"], "summary", 99)
        world.table.write(Write(late, "put", row={"type": "summary"}))
    assert world.api("POST", f"/restores/{restore_id}/start", token=token).status == 202
    world.settle()


def _crash_functions(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let functions crash without an error: an item and an export are started again and at last given up."""
    world.instead |= dict.fromkeys(("lease", "export", "backup", "restore", "record_failure"), broken)
    assert world.api("GET", "/export-all?fresh=true").status == 202
    _restore(world, "lost")
    ready = world.capture(process=False)
    lost_item = world.capture()
    world.settle()
    del world.instead["lease"]
    assert world.api("POST", f"/items/{ready}/process", {"mode": "PROCESS"}).status == 202
    assert world.settled(ready)["status"] == "READY"
    assert world.api("POST", f"/items/{ready}/export", {"export_key": "lost"}).status == 202
    world.settle()
    assert world.api("POST", f"/items/{ready}/archive", {}).status == 200
    done: set[str] = set()
    for hours in (1, 3, 5, 7):
        later(monkeypatch, hours)
        done |= set(world.heartbeat())
        world.settle()
    assert {"start_again", "give_up"} <= done, done
    assert world.item(lost_item)["status"] == "READY"


def _run_tasks(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a task with a large payload, a waiting one, and a worker that dies. All rows expire at the end."""
    world.instead.clear()
    payload = {"text": "要做的事。" * 2000}
    first = world.api("POST", "/tasks", {"intent": "runQA", "payload": payload}).json["task"]["id"]
    world.api("POST", "/tasks", {"intent": "runQA", "priority": "P0", "depends_on": [first]})
    run = world.api("POST", "/tasks/claim", {"worker": "w", "intents": ["runQA"]}).json["run"]["id"]
    file = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}
    for verb, body in (("start", {}), ("heartbeat", {}), ("evidence", file), ("complete", {"exit_code": 0})):
        assert world.api("POST", f"/runs/{run}/{verb}", body).status in (200, 201), verb
    paths = (f"/runs/{run}", "/runs", f"/tasks/{first}", "/tasks", "/health", "/metrics", f"/runs/{run}/evidence/1")
    for path in paths:
        assert world.api("GET", path).status in (200, 302), path
    assert world.api("POST", "/health/recount", {}).status == 200
    done: set[str] = set()
    for hours in (100, 101, 24 * 10, 24 * 50):
        later(monkeypatch, hours)
        done |= set(world.heartbeat())
        world.api("POST", "/tasks/claim", {"worker": "dead"})
    assert {"lift", "lapse", "file", "bury"} <= done, done


def test_functions_have_every_right_they_use_and_no_other(
    used: dict[str, set[Right]],
    beyond: set[tuple[str, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    importlib.import_module("http_api")
    # A transaction of moto copies the whole table, so each desk has a table of its own.
    for story in (run_proof, run_collect, lambda world: play(world, monkeypatch)):
        with inherited_context(), moto_world() as world:
            story(world)
    assert beyond == set()
    granted = rights_of_functions()
    assert set(used) == set(granted), "the story does not call every room"
    assert {room: used[room] - granted[room] for room in used if used[room] - granted[room]} == {}
    unused = {room: granted[room] - used[room] for room in granted if granted[room] - used[room]}
    assert unused == {room: set(rights) for room, rights in EXPLAINED.items()}
