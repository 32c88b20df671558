"""One world a module: the tests of a module work on items of their own."""

from collections.abc import Iterator

import pytest
import webhook_helpers
from backups_in import STATES, made_anew, row
from items_in import CHINESE, FUTURE, PAST, TODOS, item_in, rerun_failed

from readdo import files
from readdo.lifecycle.write import Write
from readdo.net import address
from readdo.store import keys
from readdo.store.due import NOT_DUE, overdue
from support.notion_server import notion_server
from support.notion_world import Mirrored, mirrored, temporary_owner
from support.receiver import Receiver, receiving
from support.world import World, world


@pytest.fixture(scope="module")
def shared() -> Iterator[World]:
    with world() as found:
        yield found


@pytest.fixture
def quiet(shared: World) -> Iterator[World]:
    """The shared world, in which nothing is or will be due but what the test itself makes so."""
    yield shared
    shared.settle()
    for key, _ in list(overdue(shared.table, FUTURE)):
        shared.table.write(Write(key, removes=NOT_DUE))


@pytest.fixture(scope="module")
def full() -> Iterator[World]:
    """An item in each state, edited, exported, in both languages, short and long."""
    with world() as made:
        for status in (*STATES, "ARCHIVED"):
            item_in(made, status)
        exported = item_in(made, "READY", **CHINESE)
        assert made.api("PUT", f"/items/{exported}/artifacts/todos", TODOS, if_match="*").status == 201
        made.api("POST", f"/items/{exported}/export", {"export_key": "k", "formats": ["md", "png"]})
        made.capture(content="很长的一段文字。" * 2000, process=False)
        made.settle()
        yield made


@pytest.fixture(scope="module")
def served() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def receiver(served: Receiver, quiet: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv("READDO_ALLOW_LOOPBACK", "1")
    monkeypatch.setattr(address, "resolve", lambda host, *_: [host])
    yield served
    served.forget()
    webhook_helpers.remove_all(quiet)


@pytest.fixture(scope="module")
def lived() -> Iterator[World]:
    """Items in each state, edited, exported, of long histories, in both languages, short and long."""
    with world() as made:
        for status in (*STATES, "ARCHIVED"):
            item_in(made, status)
        rerun_failed(made)
        full = item_in(made, "READY", **CHINESE, url="https://example.org/leases")
        assert made.api("PUT", f"/items/{full}/artifacts/todos", TODOS, if_match="*").status == 201
        made.api("POST", f"/items/{full}/export", {"export_key": "k", "formats": ["md", "png", "html"]})
        made.capture(content="很长的一段文字。" * 2000, process=False, intent_text="read it one day")
        made.settle()
        old = item_in(made, "READY")
        entry = {"at": PAST, "by": "user", "what": "keep", "to": "READY"}
        kept = made.row(old)["history"]
        made.table.write(Write(keys.item(made.owner, old), sets={"history": [*[entry] * 60, *kept]}))
        yield made


@pytest.fixture(scope="module")
def taken_out(lived: World) -> bytes:
    """The file of a backup of all that."""
    backup_id = made_anew(lived)
    return files.get(row(lived, backup_id)["file"]["at"])


@pytest.fixture
def somebodys(shared: World) -> Iterator[World]:
    with temporary_owner(shared) as found:
        yield found


@pytest.fixture
def to(somebodys: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirrored]:
    """Somebody's desk, and a Notion that waits for it."""
    with notion_server() as notion, mirrored(somebodys, notion, monkeypatch) as found:
        yield found


@pytest.fixture
def on(to: Mirrored) -> Mirrored:
    """A first turn is over."""
    to.world.heartbeat()
    assert to.beat() == {"sync": 1}
    assert to.told == {"status": "on"}
    return to
