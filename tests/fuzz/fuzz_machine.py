"""Background work of an item, one transition at a time, so that every history can be repeated."""

import json
from typing import Any

from fuzz.fuzz_model import Item
from readdo import clock
from readdo.do import task_rows
from readdo.errors import StepFailed
from readdo.lifecycle.write import Write
from readdo.read import export_run, item_keys, run_steps, step_failures
from readdo.store import keys
from readdo.store.table import DynamoTable
from support.sample_run import SampleRun, published
from support.world import World

PAST = "2020-01-01T00:00:00.000Z"
EXTRACTED = ("extraction",)
REST = ("summary", "score", "todos", "card")


class Background:
    """Background work: the steps of runs and exports, and time."""

    def __init__(self, world: World, sample: SampleRun, owner: str) -> None:
        self.world, self.sample, self.owner = world, sample, owner
        self.table: DynamoTable = world.table

    def row(self, item: Item) -> dict[str, Any]:
        row = self.table.get(item_keys.item(self.owner, item.id))
        assert row is not None
        return row

    def leases(self, item: Item) -> None:
        row = self.row(item)
        run_steps.lease(
            self.table, run_steps.RunFence(self.owner, item.id, row["run_id"]), clock.new_id(clock.now()), clock.now()
        )
        item.pull("lease")

    def extracts(self, item: Item) -> None:
        if not item.extracted:
            self.sample.make(self.table, self._holder(item), EXTRACTED)
        item.extracted = True

    def publishes(self, item: Item) -> None:
        self.extracts(item)
        holder = self._holder(item)
        self.sample.make(self.table, holder, REST)
        published(self.table, holder)
        item.publish(holder.run)

    def fails(self, item: Item, *, retryable: bool) -> None:
        failure = StepFailed("AI_PROVIDER_ERROR", "The model did not answer. 模型没有回答。", retryable=retryable)
        cause = json.dumps({"errorType": "StepFailed", "errorMessage": str(failure)})
        step_failures.record(self.table, self._holder(item), {"Error": "StepFailed", "Cause": cause}, clock.now())
        item.pull("fail_ai" if item.extracted else "fail_extraction")

    def export_ends(self, item: Item, key: str, *, well: bool) -> None:
        row = self.table.get(item_keys.export(self.owner, item.id, key))
        assert row is not None
        start = export_run.ExportRun(self.owner, item.id, row["key_digest"], row["epoch"])
        if well:
            export_run.carry_out(self.table, start, _draw, {"name": "fuzz", "version": "1"}, clock.now())
        else:
            failure = StepFailed("EXPORT_RENDER_FAILED", "It was not drawn.", retryable=False)
            cause = json.dumps({"errorType": "StepFailed", "errorMessage": str(failure)})
            export_run.fail(self.table, start, {"Error": "StepFailed", "Cause": cause}, clock.now())
        item.export_ended(key, well=well)

    def time_passes(self, item: Item) -> None:
        """Make the item's work due and run the heartbeat."""
        row = self.row(item)
        due = "due_at" in row
        late = {"lease_expires_at": PAST} if "lease_expires_at" in row else {}
        if due:
            self.table.write(Write(item_keys.item(self.owner, item.id), sets={"due_at": PAST, **late}))
        done = self.world.heartbeat()
        trigger = self._due(item) if due else ""
        assert done == ({trigger: 1} if trigger else {})
        if trigger:
            item.pull(trigger)

    def _due(self, item: Item) -> str:
        if item.status == "PROCESSING":
            if item.reclaims < 2:
                item.reclaims += 1
                return "reclaim"
            return "give_up_ai" if item.extracted else "give_up_extraction"
        item.reclaims = item.reclaims if item.status == "QUEUED" else 0
        return {"CAPTURED": "enqueue", "QUEUED": "start_again"}.get(item.status, "auto_retry")

    def _holder(self, item: Item) -> run_steps.RunFence:
        row = self.row(item)
        return run_steps.RunFence(self.owner, item.id, row["run_id"], row["lease_epoch"])

    def forget(self) -> None:
        """Delete the rows of the owner: moto copies the complete table for each transaction."""
        owner_rows = list(self.table.keys_of(keys.owner(self.owner)))
        inside = [
            item_keys.item_partition(self.owner, key.sk.removeprefix("I#"))
            for key in owner_rows
            if key.sk.startswith("I#")
        ]
        inside += [partition(self.owner) for partition in (task_rows.tasks_of, task_rows.runs_of, task_rows.counts_of)]
        self.table.delete_all([*owner_rows, *(key for pk in inside for key in self.table.keys_of(pk))])


def _draw(form: str, *_: Any) -> export_run.RenderedFile:
    return export_run.RenderedFile(f"card.{form}", "text/plain", "", f"{form} 卡片".encode())
