"""The table double behaves as moto does, for every condition that the store writes and both outcomes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance import all_cases, guarded_cases
from conformance.cases import Case
from conformance.deviations import reason
from conformance.places import actual, double, expected, moto
from conformance.stored_rows import attributes
from guards import guard_hook
from readdo.lifecycle.state_machine import NEW
from readdo.store.table import DynamoTable
from support import template, tiers


@pytest.fixture(scope="module")
def table() -> Iterator[DynamoTable]:
    with moto() as temporary:
        yield temporary


@pytest.mark.parametrize("case", all_cases.WITHOUT_A_LIFE, ids=[case.name for case in all_cases.WITHOUT_A_LIFE])
def test_double_and_moto_return_the_same_result(table: DynamoTable, case: Case) -> None:
    """A known deviation must still exist: one that is fixed must be removed from the list."""
    agrees = expected(case) == actual(case, table)
    assert agrees == (reason("moto", case.name) is None)


@pytest.fixture(scope="module")
def written() -> list[Case]:
    return guarded_cases.written(all_cases.life())


def test_double_and_moto_repeat_the_products_writes_alike(written: list[Case], table: DynamoTable) -> None:
    cases = tiers.share(written, 4, lambda case: case.name)
    assert [case.name for case in cases if expected(case) != actual(case, table)] == []


def test_recorded_life_contains_every_write_with_a_guard(written: list[Case]) -> None:
    """Each function that contains a guard must have written in the recorded life cycle."""
    assert len(written) > 40
    authors = all_cases.life().by
    writing = ("Write(condition", "Change(condition", "the guard of put_new", "the guard of create")
    named = {
        name.partition(" · ")[0].rpartition(".readdo.")[2]
        for name in guard_hook.names()
        if name.partition(" · ")[2].startswith(writing) and not name.startswith("readdo.lifecycle")
    }
    assert {_place(name) for name in named} - authors == set()


def test_every_transition_of_every_table_is_a_case() -> None:
    names = {case.name for case in guarded_cases.CASES}
    expected_names = {
        f"table: {machine.name} {row.source} {row.trigger}"
        for machine in guarded_cases.MACHINES
        for row in machine.rows
        if row.source != NEW
    }
    assert expected_names <= names


EXPLICIT = [case for case in all_cases.WITHOUT_A_LIFE if case.result is not None]


@pytest.mark.parametrize("case", EXPLICIT, ids=[case.name for case in EXPLICIT])
def test_double_returns_the_explicit_result_or_is_a_known_deviation(case: Case) -> None:
    agrees = actual(case, double()) == expected(case)
    assert agrees == (reason("double", case.name) is None)


def _place(name: str) -> str:
    module, _, function = name.partition(":")
    return f"{module.rpartition('.')[2]}:{function.rpartition('.')[2]}"


def test_stored_attributes_keep_their_names() -> None:
    """Rows of earlier releases use these names: a name may be added to the list, but not removed."""
    listed = json.loads((Path(__file__).parent / "stored_attributes.json").read_text("utf-8"))
    written = attributes(all_cases.life().writes)
    assert set(written) == set(listed)
    unknown = {kind: sorted(set(names) - set(listed[kind])) for kind, names in written.items()}
    assert {kind: names for kind, names in unknown.items() if names} == {}


def test_announced_rows_have_an_owner_and_an_id() -> None:
    """The stream delivers a record again and again if Announce cannot read it, and all others wait."""
    filters = template.source()["Resources"]["AnnounceItems"]["Properties"]["FilterCriteria"]["Filters"]
    patterns = [json.loads(one["Pattern"])["dynamodb"]["Keys"] for one in filters]
    announced = [
        {**(before or {}), **write.row, **write.sets, "key": write.key}
        for write, before in all_cases.life().writes
        if write.kind in ("put", "update")
        and any(
            write.key.pk.startswith(keys["pk"]["S"][0]["prefix"])
            and write.key.sk.startswith(keys["sk"]["S"][0]["prefix"])
            for keys in patterns
        )
    ]
    assert {row["key"].sk[0] for row in announced} == {"I", "J"}
    assert {row["key"] for row in announced if not {"owner", "id"} <= row.keys()} == set()
