"""A run that lost its lease, a delivery that comes again, a sweep that comes second: each leaves no trace."""

import copy
from typing import Any

import pytest

from readdo.errors import LeaseLost
from readdo.read import item_deletion, sweep, workflows
from readdo.read.run import RunFence, fenced, lease, make
from readdo.store import artifacts, history, keys
from readdo.store.artifacts import Product
from support.bucket import Bucket
from support.executions import Executions
from support.races import ITEM, LATE, T0, T1, T2, Raced, item

RUN = RunFence("me", "01ITEM", "01RUN", 1)
HELD = {"lease_owner": "01RUN-1", "lease_expires_at": LATE, "due_at": LATE, "due_shard": "1"}


def product(words: str) -> Product:
    return Product({"headline": words}, "engine", "template")


@pytest.fixture
def table() -> Raced:
    return Raced()


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Executions that AWS is asked to start; a bucket that is empty."""
    aws, bucket = Executions(), Bucket()
    for name in ("PROCESS_MACHINE_ARN", "EXPORT_MACHINE_ARN", "BUCKET_NAME"):
        monkeypatch.setenv(name, "there")
    monkeypatch.setattr(workflows, "client", lambda _: aws)
    monkeypatch.setattr("readdo.files.client", lambda _: bucket)
    return aws.asked


def test_a_lease_that_is_delivered_twice_is_one_lease(table: Raced) -> None:
    table.has(ITEM, item("QUEUED"))
    first = lease(table, RUN, "01RUN-1", T1)
    before = copy.deepcopy(table.rows[ITEM])
    assert lease(table, RUN, "01RUN-1", T2) == first
    assert (first.epoch, table.rows[ITEM]) == (2, before)


@pytest.mark.parametrize(
    "other",
    [
        {"lease_owner": "01RUN-2"},  # the same run under another execution's name
        {"run_id": "02RUN"},
        {"status": "READY"},
        {"status": "FAILED_AI"},
    ],
    ids=["another execution", "another run", "READY", "FAILED_AI"],
)
def test_a_lease_that_another_holds_or_nobody_is_not_ones_own(table: Raced, other: dict[str, Any]) -> None:
    table.has(ITEM, {**item("PROCESSING", **HELD), **other})
    before = copy.deepcopy(table.rows)
    with pytest.raises(LeaseLost):
        lease(table, RUN, "01RUN-1", T2)
    assert table.rows == before


@pytest.mark.parametrize("lost", [{"lease_epoch": 2}, {"run_id": "02RUN"}, {"status": "QUEUED"}, {"status": "READY"}])
def test_a_run_that_lost_its_lease_is_not_handed_the_item(table: Raced, lost: dict[str, Any]) -> None:
    table.has(ITEM, {**item("PROCESSING", **HELD), **lost})
    with pytest.raises(LeaseLost):
        fenced(table, RUN)


def test_a_number_that_an_edit_took_meanwhile_is_not_given_twice(table: Raced) -> None:
    table.has(ITEM, item("PROCESSING", **HELD))
    seen = table.get(ITEM) or {}
    table.touch(ITEM, **{"versions.card": 1})
    make(table, RUN, "card", seen, product("made"), T1, {})
    after = table.rows[ITEM]
    assert (after["versions"]["card"], after["made"]["card"]) == (2, 2)
    assert (artifacts.of_run(table, "me", "01ITEM", "card", "01RUN") or {})["version"] == 2


def test_what_a_run_made_is_never_made_over(table: Raced) -> None:
    table.has(ITEM, item("PROCESSING", **HELD))
    for words in ("第一", "second"):
        make(table, RUN, "card", table.get(ITEM) or {}, product(words), T1, {})
    found = artifacts.of_run(table, "me", "01ITEM", "card", "01RUN") or {}
    assert (found["payload"], found["version"]) == ({"headline": "第一"}, 1)
    assert table.rows[ITEM]["made"] == {"card": 1}


DUE = {"due_at": T0, "due_shard": "1"}


def swept(table: Raced, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    monkeypatch.setattr("readdo.clock.now", lambda: T1)
    return sweep.sweep(table, lambda: True)  # type: ignore[arg-type]


def test_a_start_that_was_put_off_meanwhile_is_not_made(
    table: Raced, monkeypatch: pytest.MonkeyPatch, surroundings: list[dict[str, Any]]
) -> None:
    table.has(ITEM, item("CAPTURED", **DUE))
    table.after_a_look(ITEM, lambda: table.touch(ITEM, due_at=LATE))
    assert swept(table, monkeypatch) == {"lost_a_race": 1}
    assert (table.rows[ITEM]["status"], table.rows[ITEM]["due_at"], surroundings) == ("CAPTURED", LATE, [])


def test_a_tombstone_that_was_put_off_meanwhile_stays(table: Raced) -> None:
    tombstone = {"id": "01ITEM", "owner": "me", "deleted_at": T0}
    table.has(ITEM, {**tombstone, "due_at": LATE})
    for seen in (tombstone, {**tombstone, "swept_at": T0}):
        item_deletion.attend(table, {**seen, "due_at": T0}, T1)  # type: ignore[arg-type]
        assert {name: table.rows[ITEM].get(name) for name in ("due_at", "swept_at")} == {
            "due_at": LATE,
            "swept_at": None,
        }
    item_deletion.attend(table, {**tombstone, "due_at": LATE}, T1)  # type: ignore[arg-type]
    assert (table.rows[ITEM]["swept_at"], table.rows[ITEM]["due_at"] > T1) == (T1, True)
    item_deletion.attend(table, table.rows[ITEM], T1)  # type: ignore[arg-type]
    assert ITEM not in table.rows


def test_what_was_laid_aside_of_a_history_is_not_written_over(table: Raced) -> None:
    entries = [{"at": T0, "by": "user", "what": "archive", "to": "ARCHIVED"}] * 60
    table.has(ITEM, item("READY", history=entries))
    older = keys.older_history("me", "01ITEM", 7)
    table.has(older, {"entries": ["what is there"]})
    assert history.fold(table, table.get(ITEM) or {}) is False
    assert table.rows[older]["entries"] == ["what is there"]
    assert len(table.rows[ITEM]["history"]) == 60


def test_a_history_that_grew_meanwhile_is_not_cut(table: Raced) -> None:
    entries = [{"at": T0, "by": "user", "what": "archive", "to": "ARCHIVED"}] * 60
    table.has(ITEM, item("READY", history=entries))
    seen = table.get(ITEM) or {}
    table.touch(ITEM, history=[*entries, "one more"])
    assert history.fold(table, seen) is False
    assert len(table.rows[ITEM]["history"]) == 61
