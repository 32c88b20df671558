"""Artifacts: versioned products of a step. A run makes each kind once; a user's versions stand beside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readdo import files
from readdo.lifecycle.item import SET
from readdo.lifecycle.write import Key, Table, Write, put_new
from readdo.store import keys
from readdo.store.table import DynamoTable

KINDS = ("extraction", *SET)


@dataclass(frozen=True)
class Product:
    """What a step makes: the payload, and where it comes from."""

    payload: Mapping[str, Any]
    engine_version: str
    template_version: str
    meta: Mapping[str, Any] = field(default_factory=dict)


def of_run(table: Table, owner: str, item_id: str, kind: str, run_id: str) -> dict[str, Any] | None:
    row = table.get(keys.of_run(owner, item_id, kind, run_id))
    return envelope(row) if row else None


def shown(table: DynamoTable, item: Mapping[str, Any], kinds: Sequence[str] = KINDS) -> dict[str, dict[str, Any]]:
    """The user's newest version where there is one, else the system's of the served run."""
    owner, item_id, served = item["owner"], item["id"], item.get("served_run_id")
    edited: Mapping[str, int] = item.get("edited", {})
    wanted: list[Key] = []
    for kind in kinds:
        if kind in edited:
            wanted.append(keys.of_user(owner, item_id, kind, edited[kind]))
        elif served:
            wanted.append(keys.of_run(owner, item_id, kind, served))
    return {row["type"]: envelope(row) for row in table.get_all(wanted)}


def of_version(table: DynamoTable, owner: str, item_id: str, kind: str, version: int) -> dict[str, Any] | None:
    rows = table.query_all(keys.partition(keys.inside(owner, item_id)), keys.stretch(f"A#{kind}#"))
    return next((envelope(row) for row in rows if row["version"] == version), None)


def write_of_run(owner: str, item_id: str, kind: str, run_id: str, version: int, product: Product, at: str) -> Write:
    kept = files.keep_json(f"artifacts/{owner}/{item_id}/{run_id}/{kind}.json", product.payload)
    meta = {
        "run_id": run_id,
        "engine_version": product.engine_version,
        "template_version": product.template_version,
        "created_at": at,
        "created_by": "system",
        **product.meta,
    }
    row = {"type": kind, "version": version, "created_by": "system", "created_at": at, "meta": meta, **kept}
    return put_new(keys.of_run(owner, item_id, kind, run_id), row)


def envelope(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "artifact_type": row["type"],
        "version": row["version"],
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "meta": row["meta"],
        "payload": files.read_json(row),
    }
