"""An inconsistent state machine is refused when its module is imported."""

import pytest

from readdo.lifecycle.item import FENCE, ITEM
from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row, TableError
from readdo.lifecycle.write import Exists, both, same, without_each

GOOD = (Row(NEW, "OPEN", USER, "open"), Row("OPEN", "SHUT", USER, "shut"))


def refusal(*rows: Row, **options: object) -> str:
    with pytest.raises(TableError) as refused:
        Machine("door", (*GOOD, *rows), **{"final": frozenset({"SHUT"}), **options})  # type: ignore[arg-type]
    return str(refused.value)


def test_consistent_machine_is_accepted() -> None:
    assert Machine("door", GOOD, final=frozenset({"SHUT"})).states == ("OPEN", "SHUT")


def test_duplicate_trigger_of_a_state_is_refused() -> None:
    assert "OPEN has 'shut' twice" in refusal(Row("OPEN", "SHUT", SYSTEM, "shut"))


def test_unreachable_state_is_refused() -> None:
    assert "ATTIC cannot be reached" in refusal(Row("ATTIC", "SHUT", USER, "fall"))


def test_dead_end_without_a_final_mark_is_refused() -> None:
    assert "SHUT cannot be left and is not marked final" in refusal(final=frozenset())


def test_dead_end_with_only_a_stay_is_refused() -> None:
    assert "SHUT cannot be left" in refusal(Row("SHUT", STAYS, USER, "look"), final=frozenset())


def test_final_state_that_can_be_left_is_refused() -> None:
    assert "SHUT is marked final and can be left" in refusal(Row("SHUT", "OPEN", USER, "reopen"))


def test_unknown_final_state_is_refused() -> None:
    assert "GONE is marked final and is no state" in refusal(final=frozenset({"SHUT", "GONE"}))


def test_trigger_with_two_targets_is_refused() -> None:
    assert "'open' leads to two states" in refusal(Row("OPEN", "SHUT", USER, "open"))


def test_unknown_actor_is_refused() -> None:
    assert "'slam' is by 'wind'" in refusal(Row("OPEN", "SHUT", "wind", "slam"))


def test_undefined_condition_is_refused() -> None:
    assert "asks for 'key', which is not defined" in refusal(Row("OPEN", "SHUT", USER, "lock", "key"))


def test_unused_condition_is_refused() -> None:
    spare = {"key": Condition(Exists("key"), "there is a key")}
    assert "the condition 'key' is used by no row" in refusal(conditions=spare)


def test_guard_of_an_unknown_trigger_raises_an_error() -> None:
    with pytest.raises(TableError, match="no trigger 'explode'"):
        ITEM.guard("explode")


def test_without_each_drops_each_clause_once() -> None:
    clause = both(FENCE, Exists("made"))
    dropped = dict(without_each(clause))
    assert set(dropped) == {same("run_id", "run"), same("lease_epoch", "epoch"), Exists("made")}
    assert dropped[Exists("made")] == FENCE or set(dropped[Exists("made")].clauses) == {  # type: ignore[union-attr]
        same("run_id", "run"),
        same("lease_epoch", "epoch"),
    }


def test_open_triggers_depend_on_row_and_actor() -> None:
    failed = {"status": "FAILED_AI"}
    assert "keep" not in ITEM.open_to(USER, failed)
    assert "keep" in ITEM.open_to(USER, {**failed, "served_run_id": "r"})
    assert ITEM.open_to(USER, {"status": "PROCESSING", "content_ref": "there"}) == ("join",)
    assert "auto_retry" in ITEM.open_to(SYSTEM, failed)
