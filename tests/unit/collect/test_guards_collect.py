"""Concurrent changes of assignments, documents and batches: none overwrites another one."""

from typing import Any, cast

import pytest

from readdo import files
from readdo.collect import (
    assignment_creation,
    assignment_moves,
    batch_apply,
    batch_pick,
    collect_keys,
    document_library,
    document_names,
    own_schedule,
    violations,
)
from readdo.collect.assignment_validation import check_assignment
from readdo.collect.rows import AssignmentRow
from readdo.lifecycle.advance import Forbidden, advance_all
from readdo.lifecycle.write import WriteRefused
from support.collect_pool import document
from support.desk_races import RacedDesk, command_context
from support.races import T0, T1

A_MD = collect_keys.document("me", "a.md")
URL = {"id": "a", "type": "url", "url": "https://a.b/c"}
GIVEN = {"id": "a", "type": "content_supplement", "target_files": ["a.md"]}


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> RacedDesk:
    monkeypatch.setattr(files, "put_once", lambda *_: b"")
    return RacedDesk()


def add(table: Any, given: dict[str, Any] = GIVEN, at: str = T0) -> Any:
    return assignment_creation.create_all(table, "me", [check_assignment(given)], at, lambda _: "")


def row_of(table: Any, name: str = "a") -> dict[str, Any]:
    place = table.rows[collect_keys.assignment_id("me", name)]
    return dict(table.rows[collect_keys.assignment("me", place["sequence"])])


def put(table: Any, content: str, path: str = "a.md") -> Any:
    return document_library.put_document(table, "me", path, content, T1)


def pick(table: Any) -> Any:
    return batch_pick.pick_batch(command_context(table, "pick"), "file")


def test_two_assignments_with_the_same_id_at_once_are_one(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read = document_names.read_documents

    def add_meanwhile(*args: Any) -> Any:
        monkeypatch.setattr(assignment_creation, "read_documents", read)
        add(table, {**URL, "title": "first"}, T1)
        return read(*args)

    monkeypatch.setattr(assignment_creation, "read_documents", add_meanwhile)
    created = add(table, URL)
    assert (created.assignments, [error["id"] for error in created.errors]) == ([], ["a"])
    assert row_of(table)["created_at"] == T1


def test_assignment_never_replaces_one_with_the_same_sequence(table: Any) -> None:
    add(table)
    part = assignment_creation.NewAssignment(0, check_assignment(GIVEN), row_of(table)["sequence"])
    creation = assignment_creation._creation("me", part, T0)
    with pytest.raises(Forbidden):
        advance_all(table, creation)


def test_naming_counts_from_the_row_as_it_is_now(table: Any) -> None:
    """A document that was named meanwhile is read again."""
    add(table)
    stale = {"a.md": dict(table.rows[A_MD])}
    add(table, {**GIVEN, "id": "b"})
    (named, *_) = document_names.name_documents("me", stale, {"a.md": {"named": -1}})  # type: ignore[arg-type]
    with pytest.raises(WriteRefused):
        table.write(named)


def test_document_keeps_the_version_that_came_meanwhile(table: Any) -> None:
    put(table, "one")
    table.after_read(A_MD, lambda: put(table, "two"))
    put(table, "three")
    versions = {
        key.sk: row["sha256"] for key, row in table.rows.items() if key.pk == collect_keys.versions("me", "a.md")
    }
    assert sorted(versions.values()) == sorted(files.sha256(text) for text in (b"one", b"two", b"three"))
    assert table.rows[A_MD]["version"] == 3


def test_version_is_never_replaced(table: Any) -> None:
    put(table, "one")
    row = table.rows.pop(A_MD)
    with pytest.raises(Exception, match="document"):
        put(table, "two")
    assert table.rows[collect_keys.version("me", "a.md", 1)]["sha256"] == row["sha256"]


def test_pick_takes_no_assignment_that_changed_since_it_was_read(table: Any) -> None:
    """Another batch picked it and handed it back: the number of the attempt is another one."""
    add(table)
    key = collect_keys.assignment("me", row_of(table)["sequence"])
    table.after_read(key, lambda: table.change(key, version=9, attempts=1))
    assert pick(table) is None
    assert table.rows[key]["attempts"] == 1


def test_continue_at_pick_counts_each_continue(table: Any) -> None:
    add(table)
    key = collect_keys.assignment("me", row_of(table)["sequence"])
    queue = {"queue": collect_keys.queue("me", "partial"), "queue_at": "1"}
    table.change(key, status="partial", **queue)
    table.after_read(key, lambda: table.change(key, version=9, continued=2))
    batch_pick._continue_partial(command_context(table, "pick"))
    assert (table.rows[key]["continued"], table.rows[key]["status"]) == (2, "partial")


def test_done_requires_the_documents_that_were_verified(table: Any) -> None:
    add(table)
    put(table, document())
    batch = pick(table)
    row = cast("AssignmentRow", row_of(table))
    result = {"id": "a", "status": "success", "result": {}}
    state = batch_apply.decide_state(table, row, result, T1)
    batch_apply._record(table, row, state, "digest", T1)
    put(table, document(0, 0))
    steps = batch_apply._steps(table, row, state, result, "digest", T1)
    with pytest.raises(WriteRefused):
        advance_all(table, *steps)
    assert (row_of(table)["status"], row_of(table)["batch_name"]) == ("in_progress", batch["batch_name"])


def test_batch_of_a_taken_name_is_refused(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    add(table)
    monkeypatch.setattr("readdo.clock.new_id", lambda _: "01SAME")
    pick(table)
    add(table, {**GIVEN, "id": "b"}, T1)
    with pytest.raises(Exception, match="pick"):
        pick(table)
    assert row_of(table, "b")["status"] == "pending"


def test_violation_is_never_replaced(table: Any) -> None:
    write = violations.violation_write("me", violations.FIELD_MISSING, T0, "x")
    table.write(write)
    with pytest.raises(WriteRefused):
        table.write(write)


def test_names_of_a_skipped_assignment_are_forgotten_once(table: Any) -> None:
    add(table)
    row = cast("AssignmentRow", row_of(table))
    first, again = (assignment_moves.skip_writes(table, row, "skip", "r", who="user", at=T1) for _ in range(2))
    advance_all(table, *first)
    with pytest.raises(Forbidden):
        advance_all(table, *again)
    assert table.rows[A_MD]["named"] == 0


def test_schedule_begins_once(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLLECT_OWN_MINUTES", "30")
    first, second = (own_schedule.schedule_writes(table, "me", at)[0] for at in (T0, T1))
    table.write(first)
    with pytest.raises(WriteRefused):
        table.write(second)
    assert own_schedule.schedule_writes(table, "me", T1) == []


@pytest.mark.parametrize("minutes", ["30", "0"])
def test_two_heartbeats_pick_on_schedule_once(table: Any, monkeypatch: pytest.MonkeyPatch, minutes: str) -> None:
    monkeypatch.setenv("COLLECT_OWN_MINUTES", "30")
    key = collect_keys.schedule("me")
    (begun,) = own_schedule.schedule_writes(table, "me", T0)
    table.write(begun)
    seen = dict(table.rows[key])
    at = seen["due_at"]
    picked: list[str] = []
    monkeypatch.setattr(own_schedule, "pick_batch", lambda *_: picked.append("a batch"))
    assert own_schedule.pick_on_schedule(table, seen, at) == "pick"
    moved = dict(table.rows[key])
    monkeypatch.setenv("COLLECT_OWN_MINUTES", minutes)
    assert own_schedule.pick_on_schedule(table, seen, at) == "leave_schedule"
    assert (picked, table.rows[key]) == (["a batch"], moved)
