"""Fixtures: worlds with prepared items, webhook receivers and Notion mirrors."""

from collections.abc import Iterator

import pytest

from functions import webhook_helpers
from functions.backups_in import STATES, backup_row, new_backup
from functions.items_in import CHINESE, FUTURE, PAST, TODOS, item_in, item_with_failed_rerun
from readdo import files
from readdo.lifecycle.write import Write
from readdo.net import address
from readdo.read import item_keys
from readdo.store.due import overdue
from readdo.store.keys import NOT_DUE
from support.notion_server import notion_server
from support.notion_world import Mirrored, mirrored, temporary_owner
from support.receiver import Receiver, receiving
from support.world import World
from support.world import world as new_world


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with new_world() as module_world:
        yield module_world


@pytest.fixture
def idle_world(world: World) -> Iterator[World]:
    """The module's world without due work, except for the work that the test makes due."""
    yield world
    world.settle()
    for key, _ in list(overdue(world.table, FUTURE)):
        world.table.write(Write(key, removes=NOT_DUE))


@pytest.fixture(scope="module")
def full_world() -> Iterator[World]:
    """A world with an item in each state; one is edited and exported, and one has a long Chinese text."""
    with new_world() as full_world:
        for status in (*STATES, "ARCHIVED"):
            item_in(full_world, status)
        exported = item_in(full_world, "READY", **CHINESE)
        assert full_world.api("PUT", f"/items/{exported}/artifacts/todos", TODOS, if_match="*").status == 201
        full_world.api("POST", f"/items/{exported}/export", {"export_key": "k", "formats": ["md", "png"]})
        full_world.capture(content="很长的一段文字。" * 2000, process=False)
        full_world.settle()
        yield full_world


@pytest.fixture(scope="module")
def module_receiver() -> Iterator[Receiver]:
    with receiving() as started_receiver:
        yield started_receiver


@pytest.fixture
def receiver(module_receiver: Receiver, idle_world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv("READDO_ALLOW_LOOPBACK", "1")
    monkeypatch.setattr(address, "resolve", lambda host, *_: [host])
    yield module_receiver
    module_receiver.forget()
    webhook_helpers.remove_webhooks(idle_world)


@pytest.fixture(scope="module")
def source_world() -> Iterator[World]:
    """A world to back up: an item in each state, edits, exports, a failed rerun and a long history."""
    with new_world() as source:
        for status in (*STATES, "ARCHIVED"):
            item_in(source, status)
        item_with_failed_rerun(source)
        edited = item_in(source, "READY", **CHINESE, url="https://example.org/leases")
        assert source.api("PUT", f"/items/{edited}/artifacts/todos", TODOS, if_match="*").status == 201
        source.api("POST", f"/items/{edited}/export", {"export_key": "k", "formats": ["md", "png", "html"]})
        source.capture(content="很长的一段文字。" * 2000, process=False, intent_text="read it one day")
        source.settle()
        old_item = item_in(source, "READY")
        entry = {"at": PAST, "by": "user", "what": "keep", "to": "READY"}
        history = source.row(old_item)["history"]
        source.table.write(Write(item_keys.item(source.owner, old_item), sets={"history": [*[entry] * 60, *history]}))
        yield source


@pytest.fixture(scope="module")
def backup_zip(source_world: World) -> bytes:
    """The backup file of the source world."""
    backup_id = new_backup(source_world)
    return files.get(backup_row(source_world, backup_id)["file"]["at"])


@pytest.fixture
def user_world(world: World) -> Iterator[World]:
    with temporary_owner(world) as other_user:
        yield other_user


@pytest.fixture
def mirror(user_world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirrored]:
    """A user's desk and an empty Notion that mirrors it."""
    with notion_server() as notion, mirrored(user_world, notion, monkeypatch) as empty_mirror:
        yield empty_mirror


@pytest.fixture
def synced_mirror(mirror: Mirrored) -> Mirrored:
    """A mirror whose first sync is complete."""
    mirror.world.heartbeat()
    assert mirror.beat() == {"sync": 1}
    assert mirror.told == {"status": "on"}
    return mirror
