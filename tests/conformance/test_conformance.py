"""The double answers as DynamoDB does, as far as moto is one: every condition that the store writes, both outcomes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance import all_cases, guarded_cases
from conformance.cases import Case
from conformance.deviations import reason
from conformance.places import double, expected, moto, told
from conformance.stored_rows import attributes
from guards import guard_hook
from readdo.lifecycle.machine import NEW
from readdo.store.table import DynamoTable


@pytest.fixture(scope="module")
def table() -> Iterator[DynamoTable]:
    with moto() as found:
        yield found


@pytest.mark.parametrize("case", all_cases.WITHOUT_A_LIFE, ids=[case.name for case in all_cases.WITHOUT_A_LIFE])
def test_the_double_says_what_the_table_says(table: DynamoTable, case: Case) -> None:
    """Where moto itself is known to differ, that it still does: a deviation that is gone is taken off the list."""
    agrees = expected(case) == told(case, table)
    assert agrees == (reason("moto", case.name) is None)


@pytest.fixture(scope="module")
def written() -> list[Case]:
    return guarded_cases.written(all_cases.life())


def test_what_the_product_wrote_in_a_whole_life_is_written_alike(written: list[Case], table: DynamoTable) -> None:
    assert [case.name for case in written if expected(case) != told(case, table)] == []


def test_a_whole_life_has_every_write_that_asks_for_something(written: list[Case]) -> None:
    """A guard's name tells the function that writes it down: each has written in the life that was recorded."""
    assert len(written) > 40
    lived = all_cases.life().by
    writing = ("Write(condition", "Change(condition", "the guard of put_new", "the guard of create")
    named = {
        name.partition(" · ")[0].rpartition(".readdo.")[2]
        for name in guard_hook.names()
        if name.partition(" · ")[2].startswith(writing) and not name.startswith("readdo.lifecycle")
    }
    assert {_place(name) for name in named} - lived == set()


def test_every_move_of_every_table_is_a_case() -> None:
    names = {case.name for case in guarded_cases.CASES}
    pulled = {
        f"table: {machine.name} {row.source} {row.trigger}"
        for machine in guarded_cases.MACHINES
        for row in machine.rows
        if row.source != NEW
    }
    assert pulled <= names


HAND_TOLD = [case for case in all_cases.WITHOUT_A_LIFE if case.told is not None]


@pytest.mark.parametrize("case", HAND_TOLD, ids=[case.name for case in HAND_TOLD])
def test_what_is_told_by_hand_the_double_says_too_or_is_known_not_to(case: Case) -> None:
    agrees = told(case, double()) == expected(case)
    assert agrees == (reason("double", case.name) is None)


def _place(name: str) -> str:
    module, _, function = name.partition(":")
    return f"{module.rpartition('.')[2]}:{function.rpartition('.')[2]}"


def test_stored_attributes_keep_their_names() -> None:
    """Rows of earlier releases have them: a name may be added to the list, and none may be taken off."""
    kept = json.loads((Path(__file__).parent / "stored_attributes.json").read_text("utf-8"))
    written = attributes(all_cases.life().writes)
    assert set(written) == set(kept)
    unknown = {kind: sorted(set(names) - set(kept[kind])) for kind, names in written.items()}
    assert {kind: names for kind, names in unknown.items() if names} == {}
