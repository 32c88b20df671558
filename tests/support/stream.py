"""Deliver events of the table's stream by hand.

moto would copy the complete stream with each transaction of the table.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from readdo.read import item_keys
from readdo.store.table import to_dynamo
from support.template import ROOT
from support.world import World


def announced(world: World, *item_ids: str) -> dict[str, Any]:
    """Deliver these items as they are now."""
    rows = (world.table.get(item_keys.item(world.owner, item_id)) or {} for item_id in item_ids)
    return streamed(world, map(image, rows))


def streamed(world: World, images: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return dict(world.invoke("announce", batch(images)))


def image(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: to_dynamo(value) for name, value in row.items()}


def batch(images: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return an event in the form of the function's own example."""
    case = json.loads((ROOT / "events/announce/item_ready.json").read_text(encoding="utf-8"))
    (example,) = case["Records"]
    changes = [{"NewImage": dict(one), "SequenceNumber": str(number)} for number, one in enumerate(images)]
    return {"Records": [{**example, "dynamodb": {**example["dynamodb"], **one}} for one in changes]}
