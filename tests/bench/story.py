"""Run one item through its life in phases: capture to READY, export to SHIPPED, and reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3

from bench.dynamo_size import Row, of_row
from bench.recorder import Record, recorded
from bench.units import Index, indexes_of
from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from support import template
from support.moto import moto_world
from support.stream import streamed
from support.world import World

PAGES = Path(__file__).parent / "pages"
NEIGHBOURS = 50  # items that are in the inbox already
FORMATS = ["png", "md", "html"]


@dataclass(frozen=True)
class Page:
    """A pasted text with its title and intent."""

    name: str
    title: str
    intent: str
    text: str
    floor: int  # write units from capture to SHIPPED of a sketch without fences: guards cost more than this


def _pasted(pattern: str) -> str:
    """Join the saved pages of one language, which gives the length of an article."""
    return "\n\n".join(path.read_text("utf-8") for path in sorted(PAGES.glob(pattern)))


ENGLISH = Page(
    "English", "Leases and fencing", "make our job queue safe against workers that die", _pasted("en_*.txt"), 30
)
CHINESE = Page("Chinese", "租约与栅栏令牌", "想让我们的任务队列不怕工作进程突然死掉", _pasted("zh_*.txt"), 37)


@dataclass
class Life:
    page: Page
    item: dict[str, Any] = field(default_factory=dict)
    phases: dict[str, Record] = field(default_factory=dict)
    histories: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # workflow → events of its execution
    rows: dict[tuple[str, str], Row | None] = field(default_factory=dict)  # their final state
    streamed_to: tuple[int, int] = (0, 0)  # position up to which the stream was read
    answered: int = 0  # bytes of the API's responses

    @property
    def whole(self) -> Record:
        """Return the calls from capture to SHIPPED, without the reads."""
        phases = [self.phases[name] for name in ("capture and process", "export")]
        return Record([c for r in phases for c in r.calls], [i for r in phases for i in r.invocations])

    def stored_sizes(self) -> list[int]:
        """Return the bytes of each row of the item and of each of its index entries."""
        rows = [row for row in self.rows.values() if row]
        entries = [entry for row in rows for index in indexes() if (entry := index.entry(row))]
        return [of_row(row) for row in (*rows, *entries)]


def indexes() -> tuple[Index, ...]:
    return indexes_of(template.source()["Resources"]["Table"]["Properties"])


@contextmanager
def stage() -> Iterator[tuple[World, Record]]:
    """Open a warm world with a filled inbox and an empty record."""
    with moto_world() as world, recorded(indexes()) as record:
        first = play(world, record, ENGLISH)
        _fill_inbox(world, world.row(first.item["id"]))
        record.forget()
        yield world, record


def _fill_inbox(world: World, row: dict[str, Any]) -> None:
    for _ in range(NEIGHBOURS):
        item_id = clock.new_id(clock.now())
        place = {"inbox": row["inbox"].replace(row["id"], item_id)}
        world.table.write(Write(item_keys.item(world.owner, item_id), "put", row={**row, "id": item_id, **place}))


def play(world: World, record: Record, page: Page) -> Life:
    life = Life(page)
    before = _executions(world)
    life.streamed_to = record.mark
    with _phase(life, record, "capture and process"):
        body = {"content": page.text, "title": page.title, "intent_text": page.intent}
        response = world.api("POST", "/capture", body)
        assert response.status == 201, response.json
        item_id = response.json["item"]["id"]
        world.settle()
        _stream_writes(world, record, life, item_id)
    life.answered += len(response.text)
    with _phase(life, record, "export"):
        response = world.api("POST", f"/items/{item_id}/export", {"export_key": "one", "formats": FORMATS})
        assert response.status == 202, response.json
        world.settle()
        _stream_writes(world, record, life, item_id)
    life.answered += len(response.text)
    for name, path in (("one read of the item", f"/items/{item_id}"), ("one read of the inbox", "/items")):
        with _phase(life, record, name):
            assert world.api("GET", path).status == 200
    life.item = world.item(item_id)
    assert life.item["status"] == "SHIPPED", life.item
    for call in life.whole.calls:
        life.rows |= call.meter.rows
    life.histories = {name: _history(arn) for arn, name in (_executions(world).items() - before.items())}
    return life


def _stream_writes(world: World, record: Record, life: Life, item_id: str) -> None:
    """Deliver each write of the item through the stream, one at a time as the worst case."""
    pk, sk = item_keys.item(world.owner, item_id)
    images = [dict(image) for call in record.since(life.streamed_to).calls if (image := call.meter.rows.get((pk, sk)))]
    life.streamed_to = record.mark
    for image in images:
        streamed(world, [image])


@contextmanager
def _phase(life: Life, record: Record, name: str) -> Iterator[None]:
    mark = record.mark
    yield
    life.phases[name] = record.since(mark)


def _executions(world: World) -> dict[str, str]:
    return {e["executionArn"]: name for name in ("Process", "Export") for e in world.executions(f"{name}MachineArn")}


def _history(arn: str) -> list[dict[str, Any]]:
    pages = boto3.client("stepfunctions").get_paginator("get_execution_history").paginate(executionArn=arn)
    return [event for page in pages for event in page["events"]]
