"""One world a module: the tests of a module work on items of their own."""

from collections.abc import Iterator

import hooked
import pytest
from backups_in import STATES
from items_in import CHINESE, FUTURE, TODOS, item_in

from readdo.lifecycle.write import Write
from readdo.net import address
from readdo.store.due import NOT_DUE, overdue
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
    hooked.remove_all(quiet)
