"""Store and read artifacts: one per run and type, plus the versions of the user."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from readdo import files
from readdo.clock import digest
from readdo.lifecycle.item import SET
from readdo.lifecycle.write import Key, Table, Write, put_new
from readdo.read import item_keys
from readdo.read.rows import ArtifactRow, ItemRow
from readdo.store import keys
from readdo.store.keys import shown
from readdo.store.table import DynamoTable

KINDS = ("extraction", *SET)
VERSIONS_LISTED = 20


@dataclass(frozen=True)
class Product:
    """The output of a step: a payload and its origin."""

    payload: Mapping[str, Any]
    engine_version: str
    template_version: str
    meta: Mapping[str, Any] = field(default_factory=dict)


def of_run(table: Table, owner: str, item_id: str, kind: str, run_id: str) -> dict[str, Any] | None:
    """The artifact of a run. It never changes, so only a missing one needs the consistent read."""
    key = item_keys.run_artifact(owner, item_id, kind, run_id)
    row = table.get(key, consistent=False) or table.get(key)
    return envelope(cast("ArtifactRow", row)) if row else None


def current_artifacts(table: DynamoTable, item: ItemRow, kinds: Sequence[str] = KINDS) -> dict[str, dict[str, Any]]:
    """For each type, the newest version of the user, or else the generated one of the served run."""
    owner, item_id, served = item["owner"], item["id"], item.get("served_run_id")
    edited = item.get("edited", {})
    artifact_keys: list[Key] = []
    for kind in kinds:
        if kind in edited:
            artifact_keys.append(item_keys.user_artifact(owner, item_id, kind, edited[kind]))
        elif served:
            artifact_keys.append(item_keys.run_artifact(owner, item_id, kind, served))
    return {row["type"]: envelope(cast("ArtifactRow", row)) for row in table.get_all(artifact_keys)}


def artifacts_of(table: DynamoTable, owner: str, item_id: str, kind: str = "") -> Iterator[ArtifactRow]:
    """All artifacts of an item, or those of one type."""
    prefix = f"A#{kind}#" if kind else "A#"
    rows = table.query_all(keys.partition(item_keys.item_partition(owner, item_id)), keys.stretch(prefix))
    return (cast("ArtifactRow", row) for row in rows)


def of_version(table: DynamoTable, owner: str, item_id: str, kind: str, version: int) -> dict[str, Any] | None:
    rows = artifacts_of(table, owner, item_id, kind)
    return next((envelope(row) for row in rows if row["version"] == version), None)


def write_of_run(owner: str, item_id: str, kind: str, run_id: str, version: int, product: Product, at: str) -> Write:
    stored = files.store_json(f"artifacts/{owner}/{item_id}/{run_id}/{kind}.json", product.payload)
    meta = {
        "run_id": run_id,
        "engine_version": product.engine_version,
        "template_version": product.template_version,
        "created_at": at,
        "created_by": "system",
        **product.meta,
    }
    row: ArtifactRow = {
        "type": kind,
        "version": version,
        "created_by": "system",
        "created_at": at,
        "meta": meta,
        **stored,
    }
    return put_new(item_keys.run_artifact(owner, item_id, kind, run_id), row)


def write_of_user(
    item: ItemRow, kind: str, version: int, payload: Mapping[str, Any], before: Mapping[str, Any], at: str
) -> Write:
    """An edited version. It keeps the run of the version before.

    The file name contains the digest of the payload, so that concurrent edits do not overwrite each other's file. The
    database refuses one of them later.
    """
    owner, item_id = item["owner"], item["id"]
    name = digest(json.dumps(payload, sort_keys=True))
    stored = files.store_json(f"artifacts/{owner}/{item_id}/user/{kind}-{name}.json", payload)
    meta = {**before["meta"], "created_at": at, "created_by": "user", "edited_version": before["version"]}
    row: ArtifactRow = {
        "type": kind,
        "version": version,
        "created_by": "user",
        "created_at": at,
        "meta": meta,
        **stored,
    }
    return put_new(item_keys.user_artifact(owner, item_id, kind, version), row)


def versions(table: DynamoTable, item: ItemRow) -> dict[str, list[dict[str, Any]]]:
    """The newest versions of each type, newest first. The extraction is listed without its long text."""
    by_kind: dict[str, list[ArtifactRow]] = {}
    for row in artifacts_of(table, item["owner"], item["id"]):
        by_kind.setdefault(row["type"], []).append(row)
    return {kind: [_listed(row, item) for row in _newest(by_kind[kind])] for kind in KINDS if kind in by_kind}


def _newest(rows: list[ArtifactRow]) -> list[ArtifactRow]:
    return sorted(rows, key=lambda row: -int(row["version"]))[:VERSIONS_LISTED]


def _listed(row: ArtifactRow, item: ItemRow) -> dict[str, Any]:
    version = envelope(row) if row["type"] in SET else shown(row, ("version", "created_by", "created_at", "meta"))
    edited = item.get("edited", {}).get(row["type"])
    is_served = row["created_by"] == "system" and row["meta"]["run_id"] == item.get("served_run_id")
    return {**version, "artifact_type": row["type"], "shown": row["version"] == edited if edited else is_served}


def envelope(row: ArtifactRow) -> dict[str, Any]:
    return {
        "artifact_type": row["type"],
        "version": row["version"],
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "meta": row["meta"],
        "payload": files.read_json(row),
    }
