"""Number of assignments that name a document, written with the change of an assignment."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from readdo.collect import collect_keys
from readdo.collect.figures import DOCUMENT_FIGURES
from readdo.collect.rows import DocumentRow
from readdo.lifecycle.write import Key, Missing, Table, Write, same
from readdo.store.table import DynamoTable

_READ_TOGETHER = 100


def read_documents(table: DynamoTable, owner: str, paths: Iterable[str]) -> dict[str, DocumentRow]:
    """The rows of these paths, in pages of one read."""
    unique = list(dict.fromkeys(paths))
    rows: dict[str, DocumentRow] = {}
    for first in range(0, len(unique), _READ_TOGETHER):
        keys = [collect_keys.document(owner, path) for path in unique[first : first + _READ_TOGETHER]]
        rows |= {row["id"]: cast("DocumentRow", row) for row in table.get_all(keys)}
    return rows


def name_documents(owner: str, rows: Mapping[str, DocumentRow], names: Mapping[str, Mapping[str, int]]) -> list[Write]:
    """Writes that change how often documents are named.

    `names`: path → changes, such as {"named": 1}. The rows must not have changed since they were read.
    """
    writes: list[Write] = []
    for path, adds in names.items():
        row = rows.get(path)
        writes.append(document_write(owner, path, row, adds=adds))
        before: dict[str, Any] = dict(row or {"id": path, "owner": owner})
        after = {**before, **{name: before.get(name, 0) + number for name, number in adds.items()}}
        writes += DOCUMENT_FIGURES.changed(before if row else None, after)
    return writes


def document_write(
    owner: str,
    path: str,
    row: DocumentRow | None,
    *,
    sets: Mapping[str, Any] | None = None,
    adds: Mapping[str, int] | None = None,
) -> Write:
    """A change of a document's row, which must not have changed since it was read."""
    unchanged = same("changes", "seen") if row else Missing("pk")
    params = {"seen": row["changes"]} if row else {}
    identity = {} if row else {"id": path, "owner": owner}
    adds = {**(adds or {}), "changes": 1}
    return Write(
        collect_keys.document(owner, path),
        condition=unchanged,
        params=params,
        sets={**identity, **(sets or {})},
        adds=adds,
    )


def check_unchanged(owner: str, row: DocumentRow) -> Write:
    """For a transaction that depends on the version of a document."""
    key = collect_keys.document(owner, row["id"])
    return Write(key, "check", condition=same("version", "verified"), params={"verified": row["version"]})


def merge_counts(writes: Iterable[Write]) -> list[Write]:
    """Merge writes to the same counter: a transaction may write to a row only once."""
    merged: dict[Key, Write] = {}
    for write in writes:
        other = merged.get(write.key)
        if other is None:
            merged[write.key] = write
            continue
        adds = {name: other.adds.get(name, 0) + write.adds.get(name, 0) for name in {**other.adds, **write.adds}}
        merged[write.key] = Write(write.key, adds=adds)
    return list(merged.values())


def find_document(table: Table, owner: str, path: str) -> DocumentRow | None:
    """None if the path is only named, or unknown."""
    row = table.get(collect_keys.document(owner, path))
    return cast("DocumentRow", row) if row and "version" in row else None
