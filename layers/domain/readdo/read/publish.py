"""The gate: publish the results of a run."""

from contextlib import suppress
from typing import cast

from readdo import schemas
from readdo.errors import LeaseLost, RunIncomplete
from readdo.lifecycle.advance import Change, Replayed, advance, move
from readdo.lifecycle.item import ITEM, READY, SET
from readdo.lifecycle.write import Table, both, same
from readdo.read import artifacts, item_keys
from readdo.read.item_keys import inbox_place_ready, item_row
from readdo.read.queue import NO_TRIES
from readdo.read.rows import ItemRow
from readdo.read.run_steps import LEFT, RunFence
from readdo.store.keys import NOT_DUE

_LEASE_FIELDS = ("lease_owner", "lease_expires_at", "started_at")


def publish(table: Table, run: RunFence, at: str) -> ItemRow:
    """READY only if the four artifacts of this run exist, are complete and are consistent."""
    item = item_row(table, run.owner, run.item)
    if item is None or item.get("run_id") != run.run:
        raise LeaseLost(f"{run.item}: run {run.run} is not the item's run")
    by_kind = {kind: artifacts.of_run(table, run.owner, run.item, kind, run.run) for kind in SET}
    present = {kind: artifact for kind, artifact in by_kind.items() if artifact is not None}
    missing = [kind for kind in SET if kind not in present]
    if missing:
        raise RunIncomplete(f"{run.item}: no {', '.join(missing)} in run {run.run}")
    schemas.check_run_artifacts(present, run.run)
    score = present["score"]["payload"]
    summary_fields = {
        "served_run_id": run.run,
        "priority": score["priority"],
        "match_score": score["match_score"],
        "first_reason": score["reasons"][0],
        "more_reasons": len(score["reasons"]) - 1,
    }
    change = Change(
        sets={
            **summary_fields,
            **NO_TRIES,
            **inbox_place_ready(score["priority"], score["match_score"], run.item),
        },
        removes=(*NOT_DUE, *_LEASE_FIELDS),
        params={**run.fence, **{kind: artifact["version"] for kind, artifact in present.items()}, "ready": READY},
    )
    replay = both(same("status", "ready"), same("served_run_id", "run"))
    try:
        row = advance(table, move(ITEM, "publish", run.key, who="system:gate", at=at, change=change, replay=replay))
    except Replayed as again:
        row = dict(again.row)
    except LEFT as left:
        raise LeaseLost(str(left)) from left
    return cast("ItemRow", row)


def skip(table: Table, item: ItemRow, at: str) -> None:
    """Archive an item that has just become READY and is not worth the time, unless it was changed since.

    The gate may be delivered again much later: a newer change was made by a user.
    """
    last = item["history"][-1]
    if last["what"] != "publish" or last["at"] != item["updated_at"]:
        return
    change = Change(
        sets={"archive_reason": "SYSTEM_SKIP", **inbox_place_ready("SKIP", item["match_score"], item["id"])},
        params={"seen_version": item["version"]},
    )
    key = item_keys.item(item["owner"], item["id"])
    with suppress(*LEFT):
        advance(table, move(ITEM, "skip", key, who="system:gate", at=at, run=item["run_id"], change=change))
