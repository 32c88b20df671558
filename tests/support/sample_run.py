"""Sample of a finished item: tests copy its run, or let their own steps make the artifacts again."""

from collections.abc import Iterable
from typing import cast

from readdo import clock
from readdo.lifecycle.item import MADE_BY
from readdo.lifecycle.write import Key, Write
from readdo.read import artifacts, item_keys, publish, run_steps
from readdo.read.artifacts import Product
from readdo.read.rows import ArtifactRow, ItemRow
from readdo.store import keys
from readdo.store.table import DynamoTable
from support.world import World


class SampleRun:
    def __init__(self, world: World) -> None:
        item_id = world.capture()
        world.settle()
        self.row = world.row(item_id)
        assert self.row["status"] == "READY"
        self.inside = world.table.query(keys.partition(item_keys.item_partition(world.owner, item_id))).rows
        self.payloads = {
            row["type"]: artifacts.envelope(cast("ArtifactRow", row))["payload"] for row in self.inside if "type" in row
        }

    def make(self, table: DynamoTable, holder: run_steps.RunFence, kinds: Iterable[str] = tuple(MADE_BY)) -> None:
        """Store the artifacts, as the steps do at their end."""
        for kind in kinds:
            item = run_steps.fenced(table, holder)
            product = Product(self.payloads[kind], "sample.1", f"{kind}.sample")
            run_steps.make(table, holder, kind, item, product, clock.now(), {})

    def copied(self, table: DynamoTable, owner: str) -> str:
        """Copy the READY item to this owner and return its id."""
        item_id = clock.new_id(clock.now())
        place = item_keys.inbox_place_ready(self.row["priority"], self.row["match_score"], item_id)
        table.write(
            Write(item_keys.item(owner, item_id), "put", row={**self.row, "owner": owner, "id": item_id, **place})
        )
        for row in self.inside:
            table.write(Write(Key(item_keys.item_partition(owner, item_id), row["sk"]), "put", row=row))
        return item_id


def published(table: DynamoTable, holder: run_steps.RunFence) -> ItemRow:
    return publish.publish(table, holder, clock.now())
