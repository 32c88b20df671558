"""Invariants of the Collect desk, checked against all rows of an owner."""

from collections.abc import Iterator
from typing import Any

from readdo.collect import collect_keys, figures
from readdo.collect.completeness import COMPLETE_POINTS
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.collect_batch import BATCH
from readdo.store import keys
from support.world import World

_HOLDING = {"picking", "open", "applying", "failed", "timed_out"}  # the last two until they are settled


def rows(world: World, pk: str, prefix: str) -> list[dict[str, Any]]:
    return list(world.table.query_all(keys.partition(pk), keys.stretch(prefix)))


def wrong_now(world: World) -> Iterator[str]:
    """Problems that must not exist at any time, even after a crash."""
    pool = collect_keys.pool(world.owner)
    batches = {row["batch_name"]: row for row in rows(world, pool, collect_keys.BATCH_PREFIX) if "status" in row}
    for row in rows(world, pool, collect_keys.ASSIGNMENT_PREFIX):
        yield from _wrong_with(world, row, batches)
    for name, batch in batches.items():
        if len(set(batch["ids"])) != len(batch["ids"]):
            yield f"{name} has an assignment twice"
        if batch["status"] == "applied":
            yield from _wrong_with_applied(world, batch)
        yield from _wrong_steps(BATCH, batch, name)
    if drift := figures.recount(world.table, world.owner).drift:
        yield f"the figures drift: {drift}"


def _wrong_with(world: World, row: dict[str, Any], batches: dict[str, dict[str, Any]]) -> Iterator[str]:
    name = row["id"]
    yield from _wrong_steps(ASSIGNMENT, row, name)
    if row["status"] == "in_progress":
        batch = batches.get(row["batch_name"])
        if batch is None or name not in batch["ids"] or batch["status"] not in _HOLDING:
            yield f"{name} is in progress without its batch {row['batch_name']}"
    if row["status"] == "done":
        key = collect_keys.attempt(world.owner, row["sequence"], row["batch_name"])
        attempt = world.table.get(key) or {}
        proven = [document["points"] >= COMPLETE_POINTS for document in attempt.get("documents", ())]
        if not (attempt.get("passed") and attempt.get("reported") == "success" and proven and all(proven)):
            yield f"{name} is done without a verification: {attempt}"
    if row["continued"] > 3:
        yield f"{name} was continued {row['continued']} times"


def _wrong_with_applied(world: World, batch: dict[str, Any]) -> Iterator[str]:
    """The counts of a batch add up: each assignment has moved."""
    for name, sequence in zip(batch["ids"], batch["sequences"], strict=True):
        attempt = world.table.get(collect_keys.attempt(world.owner, sequence, batch["batch_name"])) or {}
        if "to" not in attempt:
            yield f"{batch['batch_name']} is applied, and {name} has not moved"


def _wrong_steps(machine: Any, row: dict[str, Any], name: str) -> Iterator[str]:
    """Only edges of the table."""
    before = "(none)"
    for entry in row["history"]:
        if before not in machine.sources(entry["what"]) or machine.target(entry["what"]) != entry["to"]:
            yield f"{name} went from {before} by {entry['what']} to {entry['to']}"
        before = entry["to"]
    if before != row["status"]:
        yield f"{name} is {row['status']}, and its history ends with {before}"


def wrong_at_the_end(world: World) -> Iterator[str]:
    """After the last heartbeat nothing is in progress, due or open."""
    yield from wrong_now(world)
    pool = collect_keys.pool(world.owner)
    for row in rows(world, pool, collect_keys.BATCH_PREFIX):
        if "due_at" in row or row.get("status") in ("picking", "open", "applying"):
            yield f"{row['batch_name']} is {row.get('status')}"
    held = [row["id"] for row in rows(world, pool, collect_keys.ASSIGNMENT_PREFIX) if row["status"] == "in_progress"]
    if held:
        yield f"{held} are still in progress"
