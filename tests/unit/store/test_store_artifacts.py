"""Artifacts as they are found again: of a run, of a version, and as they are shown."""

from typing import Any

from readdo.lifecycle.write import Write
from readdo.store import artifacts, keys
from readdo.store.artifacts import Product
from readdo.store.exports import exports_of
from readdo.store.table import DynamoTable

AT = "2026-01-05T07:31:00.000Z"


def put(table: DynamoTable, item_id: str, kind: str, run: str, version: int, text: str = "x") -> None:
    product = Product({"text": text}, "engine.1", f"{kind}.v1")
    table.write(artifacts.write_of_run("me", item_id, kind, run, version, product, AT))


def edit(table: DynamoTable, item_id: str, kind: str, version: int) -> None:
    row: dict[str, Any] = {"type": kind, "version": version, "created_by": "user", "created_at": AT, "meta": {}}
    table.write(Write(keys.of_user("me", item_id, kind, version), "put", row={**row, "payload": '{"text": "mine"}'}))


def test_the_served_runs_set_is_shown_and_no_other(table: DynamoTable) -> None:
    for version, run in enumerate(("old", "served", "newer"), start=1):
        for kind in artifacts.KINDS:
            put(table, "served", kind, run, version, run)
    shown = artifacts.shown(table, {"owner": "me", "id": "served", "served_run_id": "served"})
    assert set(shown) == set(artifacts.KINDS)
    assert {a["payload"]["text"] for a in shown.values()} == {"served"}


def test_an_item_that_serves_nothing_shows_nothing(table: DynamoTable) -> None:
    put(table, "none", "summary", "run", 1)
    assert artifacts.shown(table, {"owner": "me", "id": "none"}) == {}


def test_a_users_version_is_shown_in_front_of_the_systems(table: DynamoTable) -> None:
    put(table, "edited", "summary", "run", 1)
    put(table, "edited", "card", "run", 1)
    edit(table, "edited", "card", 2)
    item = {"owner": "me", "id": "edited", "served_run_id": "run", "edited": {"card": 2}}
    shown = artifacts.shown(table, item)
    assert (shown["card"]["created_by"], shown["summary"]["created_by"]) == ("user", "system")


def test_a_version_is_found_by_its_number_and_is_of_one_kind(table: DynamoTable) -> None:
    for version, run in ((2, "b"), (1, "z"), (3, "a")):
        put(table, "order", "card", run, version)
        put(table, "order", "summary", run, version)
    edit(table, "order", "card", 4)
    runs = [artifacts.of_version(table, "me", "order", "card", version) for version in (1, 2, 3)]
    assert [found and found["meta"]["run_id"] for found in runs] == ["z", "b", "a"]
    assert (artifacts.of_version(table, "me", "order", "card", 4) or {})["created_by"] == "user"
    assert artifacts.of_version(table, "me", "order", "card", 9) is None


def test_a_version_is_found_however_many_there_are(table: DynamoTable) -> None:
    """A query returns at most 1 MB: the rest is on the next page, and old versions stay readable."""
    for version in range(1, 261):
        put(table, "many", "card", f"run-{version:04d}", version, "x" * 4000)
    assert all(artifacts.of_version(table, "me", "many", "card", version) for version in (1, 130, 260))


def test_exports_are_all_listed_however_many_there_are(table: DynamoTable) -> None:
    for n in range(1, 261):
        row = {"artifact_version": n, "failure": {"debug_message": "x" * 4000}}
        table.write(Write(keys.export("me", "shipped", f"key-{n}"), "put", row=row))
    assert [row["artifact_version"] for row in exports_of(table, "me", "shipped")] == list(range(1, 261))


class _Behind:
    """A table whose cheap reads have not seen the last writes."""

    def __init__(self, table: DynamoTable) -> None:
        self._table = table
        self.asked: list[bool] = []

    def get(self, key: Any, *, consistent: bool = True) -> Any:
        self.asked.append(consistent)
        return self._table.get(key) if consistent else None


def test_an_artifact_that_a_cheap_read_does_not_see_yet_is_found(table: DynamoTable) -> None:
    put(table, "new", "summary", "run", 1, "just made")
    behind = _Behind(table)
    found = artifacts.of_run(behind, "me", "new", "summary", "run")  # type: ignore[arg-type]
    assert found is not None
    assert found["payload"] == {"text": "just made"}
    assert behind.asked == [False, True]
    assert artifacts.of_run(behind, "me", "new", "card", "run") is None  # type: ignore[arg-type]
