"""A table that contradicts itself is refused when its module is imported."""

import pytest

from readdo.lifecycle.conditions import Exists, both, same, without_each
from readdo.lifecycle.item import FENCE, ITEM
from readdo.lifecycle.machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row, TableError

GOOD = (Row(NEW, "OPEN", USER, "open"), Row("OPEN", "SHUT", USER, "shut"))


def refusal(*rows: Row, **more: object) -> str:
    with pytest.raises(TableError) as refused:
        Machine("door", (*GOOD, *rows), **{"final": frozenset({"SHUT"}), **more})  # type: ignore[arg-type]
    return str(refused.value)


def test_a_good_table_stands() -> None:
    assert Machine("door", GOOD, final=frozenset({"SHUT"})).states == ("OPEN", "SHUT")


def test_the_same_trigger_twice_from_a_state() -> None:
    assert "OPEN has 'shut' twice" in refusal(Row("OPEN", "SHUT", SYSTEM, "shut"))


def test_a_state_nobody_reaches() -> None:
    assert "ATTIC cannot be reached" in refusal(Row("ATTIC", "SHUT", USER, "fall"))


def test_a_dead_end_that_is_not_marked() -> None:
    assert "SHUT cannot be left and is not marked final" in refusal(final=frozenset())


def test_a_dead_end_that_only_stays() -> None:
    assert "SHUT cannot be left" in refusal(Row("SHUT", STAYS, USER, "look"), final=frozenset())


def test_a_final_state_that_can_be_left() -> None:
    assert "SHUT is marked final and can be left" in refusal(Row("SHUT", "OPEN", USER, "reopen"))


def test_a_final_state_that_is_none() -> None:
    assert "GONE is marked final and is no state" in refusal(final=frozenset({"SHUT", "GONE"}))


def test_one_trigger_with_two_ends() -> None:
    assert "'open' leads to two states" in refusal(Row("OPEN", "SHUT", USER, "open"))


def test_an_actor_nobody_knows() -> None:
    assert "'slam' is by 'wind'" in refusal(Row("OPEN", "SHUT", "wind", "slam"))


def test_a_condition_that_is_not_defined() -> None:
    assert "asks for 'key', which is not defined" in refusal(Row("OPEN", "SHUT", USER, "lock", "key"))


def test_a_condition_that_no_row_asks_for() -> None:
    spare = {"key": Condition(Exists("key"), "there is a key")}
    assert "the condition 'key' is used by no row" in refusal(conditions=spare)


def test_an_unknown_trigger_is_no_silence() -> None:
    with pytest.raises(TableError, match="no trigger 'explode'"):
        ITEM.guard("explode")


def test_every_clause_can_be_dropped_by_itself() -> None:
    whole = both(FENCE, Exists("made"))
    dropped = dict(without_each(whole))
    assert set(dropped) == {same("run_id", "run"), same("lease_epoch", "epoch"), Exists("made")}
    assert dropped[Exists("made")] == FENCE or set(dropped[Exists("made")].clauses) == {  # type: ignore[union-attr]
        same("run_id", "run"),
        same("lease_epoch", "epoch"),
    }


def test_what_is_open_depends_on_the_row_and_on_who_asks() -> None:
    failed = {"status": "FAILED_AI"}
    assert "keep" not in ITEM.open_to(USER, failed)
    assert "keep" in ITEM.open_to(USER, {**failed, "served_run_id": "r"})
    assert ITEM.open_to(USER, {"status": "PROCESSING", "content_ref": "there"}) == ("join",)
    assert "auto_retry" in ITEM.open_to(SYSTEM, failed)
