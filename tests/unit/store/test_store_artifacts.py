"""Find artifacts by run, by version, and as the item shows them."""

from typing import Any, cast

from readdo.lifecycle.write import Write
from readdo.read import artifacts, item_keys
from readdo.read.artifacts import Product
from readdo.read.exports import exports_of
from readdo.read.rows import ItemRow
from readdo.store.table import DynamoTable

AT = "2026-01-05T07:31:00.000Z"


def put(table: DynamoTable, item_id: str, kind: str, run: str, version: int, text: str = "x") -> None:
    product = Product({"text": text}, "engine.1", f"{kind}.v1")
    table.write(artifacts.write_of_run("me", item_id, kind, run, version, product, AT))


def edit(table: DynamoTable, item_id: str, kind: str, version: int) -> None:
    row: dict[str, Any] = {"type": kind, "version": version, "created_by": "user", "created_at": AT, "meta": {}}
    table.write(
        Write(item_keys.user_artifact("me", item_id, kind, version), "put", row={**row, "payload": '{"text": "mine"}'})
    )


def test_shown_artifacts_are_those_of_the_served_run(table: DynamoTable) -> None:
    for version, run in enumerate(("old", "served", "newer"), start=1):
        for kind in artifacts.KINDS:
            put(table, "served", kind, run, version, run)
    artifacts_shown = artifacts.current_artifacts(
        table, cast("ItemRow", {"owner": "me", "id": "served", "served_run_id": "served"})
    )
    assert set(artifacts_shown) == set(artifacts.KINDS)
    assert {a["payload"]["text"] for a in artifacts_shown.values()} == {"served"}


def test_item_without_a_served_run_shows_no_artifacts(table: DynamoTable) -> None:
    put(table, "none", "summary", "run", 1)
    assert artifacts.current_artifacts(table, cast("ItemRow", {"owner": "me", "id": "none"})) == {}


def test_user_version_is_shown_instead_of_the_systems(table: DynamoTable) -> None:
    put(table, "edited", "summary", "run", 1)
    put(table, "edited", "card", "run", 1)
    edit(table, "edited", "card", 2)
    item = {"owner": "me", "id": "edited", "served_run_id": "run", "edited": {"card": 2}}
    artifacts_shown = artifacts.current_artifacts(table, cast("ItemRow", item))
    assert (artifacts_shown["card"]["created_by"], artifacts_shown["summary"]["created_by"]) == ("user", "system")


def test_version_is_found_by_number_and_kind(table: DynamoTable) -> None:
    for version, run in ((2, "b"), (1, "z"), (3, "a")):
        put(table, "order", "card", run, version)
        put(table, "order", "summary", run, version)
    edit(table, "order", "card", 4)
    runs = [artifacts.of_version(table, "me", "order", "card", version) for version in (1, 2, 3)]
    assert [artifact and artifact["meta"]["run_id"] for artifact in runs] == ["z", "b", "a"]
    assert (artifacts.of_version(table, "me", "order", "card", 4) or {})["created_by"] == "user"
    assert artifacts.of_version(table, "me", "order", "card", 9) is None


def test_version_is_found_beyond_the_first_query_page(table: DynamoTable) -> None:
    """A query returns at most 1 MB per page. Old versions on later pages must stay readable."""
    for version in range(1, 261):
        put(table, "many", "card", f"run-{version:04d}", version, "x" * 4000)
    assert all(artifacts.of_version(table, "me", "many", "card", version) for version in (1, 130, 260))


def test_exports_are_listed_beyond_the_first_query_page(table: DynamoTable) -> None:
    for n in range(1, 261):
        row = {"artifact_version": n, "failure": {"debug_message": "x" * 4000}}
        table.write(Write(item_keys.export("me", "shipped", f"key-{n}"), "put", row=row))
    assert [row["artifact_version"] for row in exports_of(table, "me", "shipped")] == list(range(1, 261))


class _StaleTable:
    """Table whose eventually consistent reads miss the latest writes."""

    def __init__(self, table: DynamoTable) -> None:
        self._table = table
        self.consistent_reads: list[bool] = []

    def get(self, key: Any, *, consistent: bool = True) -> Any:
        self.consistent_reads.append(consistent)
        return self._table.get(key) if consistent else None


def test_artifact_is_found_by_a_consistent_second_read(table: DynamoTable) -> None:
    put(table, "new", "summary", "run", 1, "just made")
    stale = _StaleTable(table)
    artifact = artifacts.of_run(stale, "me", "new", "summary", "run")  # type: ignore[arg-type]
    assert artifact is not None
    assert artifact["payload"] == {"text": "just made"}
    assert stale.consistent_reads == [False, True]
    assert artifacts.of_run(stale, "me", "new", "card", "run") is None  # type: ignore[arg-type]
