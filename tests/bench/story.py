"""One item's life, phase by phase: captured, processed to READY, exported to SHIPPED, and looked at."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3

from bench.dynamo_size import Row, of_row
from bench.recorder import Record, recorded
from bench.units import Index, indexes_of
from readdo import clock, ids
from readdo.lifecycle.write import Write
from readdo.store import keys
from support import template
from support.moto import moto_world
from support.stream import streamed
from support.world import World

PAGES = Path(__file__).parent / "pages"
NEIGHBOURS = 50  # items that are there before
FORMATS = ["png", "md", "html"]


@dataclass(frozen=True)
class Page:
    """What somebody pastes."""

    name: str
    title: str
    intent: str
    text: str
    floor: int  # write units of a sketch without fences, from capture to SHIPPED: what a guard costs is above it


def _pasted(pattern: str) -> str:
    """As long as an article is: the saved pages of one language, one after the other."""
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
    histories: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # workflow → its execution's events
    rows: dict[tuple[str, str], Row | None] = field(default_factory=dict)  # as they are in the end
    seen: tuple[int, int] = (0, 0)  # how far the stream was read
    answered: int = 0  # bytes of the API's answers

    @property
    def whole(self) -> Record:
        """Capture to SHIPPED, without anybody's looking."""
        kept = [self.phases[name] for name in ("capture and process", "export")]
        return Record([c for r in kept for c in r.calls], [i for r in kept for i in r.invocations])

    def kept(self) -> list[int]:
        """The bytes of each of its rows, and of each entry of an index that they have."""
        rows = [row for row in self.rows.values() if row]
        entries = [entry for row in rows for index in indexes() if (entry := index.entry(row))]
        return [of_row(row) for row in (*rows, *entries)]


def indexes() -> tuple[Index, ...]:
    return indexes_of(template.source()["Resources"]["Table"]["Properties"])


@contextmanager
def stage() -> Iterator[tuple[World, Record]]:
    """The product, warm, with an inbox that is lived in, and nothing on record yet."""
    with moto_world() as made, recorded(indexes()) as record:
        warm = play(made, record, ENGLISH)
        _inhabit(made, made.row(warm.item["id"]))
        record.forget()
        yield made, record


def _inhabit(made: World, row: dict[str, Any]) -> None:
    for _ in range(NEIGHBOURS):
        other = ids.new(clock.now())
        place = {"inbox": row["inbox"].replace(row["id"], other)}
        made.table.write(Write(keys.item(made.owner, other), "put", row={**row, "id": other, **place}))


def play(made: World, record: Record, page: Page) -> Life:
    life = Life(page)
    before = _executions(made)
    life.seen = record.mark
    with _phase(life, record, "capture and process"):
        body = {"content": page.text, "title": page.title, "intent_text": page.intent}
        answer = made.api("POST", "/capture", body)
        assert answer.status == 201, answer.json
        item_id = answer.json["item"]["id"]
        made.settle()
        _told(made, record, life, item_id)
    life.answered += len(answer.text)
    with _phase(life, record, "export"):
        answer = made.api("POST", f"/items/{item_id}/export", {"export_key": "one", "formats": FORMATS})
        assert answer.status == 202, answer.json
        made.settle()
        _told(made, record, life, item_id)
    life.answered += len(answer.text)
    for name, path in (("one look at the item", f"/items/{item_id}"), ("one look at the inbox", "/items")):
        with _phase(life, record, name):
            assert made.api("GET", path).status == 200
    life.item = made.item(item_id)
    assert life.item["status"] == "SHIPPED", life.item
    for call in life.whole.calls:
        life.rows |= call.meter.rows
    life.histories = {name: _history(arn) for arn, name in (_executions(made).items() - before.items())}
    return life


def _told(made: World, record: Record, life: Life, item_id: str) -> None:
    """The stream brings each write of the item, at worst one by one."""
    pk, sk = keys.item(made.owner, item_id)
    written = [dict(image) for call in record.since(life.seen).calls if (image := call.meter.rows.get((pk, sk)))]
    life.seen = record.mark
    for image in written:
        streamed(made, [image])


@contextmanager
def _phase(life: Life, record: Record, name: str) -> Iterator[None]:
    mark = record.mark
    yield
    life.phases[name] = record.since(mark)


def _executions(made: World) -> dict[str, str]:
    return {e["executionArn"]: name for name in ("Process", "Export") for e in made.executions(f"{name}MachineArn")}


def _history(arn: str) -> list[dict[str, Any]]:
    pages = boto3.client("stepfunctions").get_paginator("get_execution_history").paginate(executionArn=arn)
    return [event for page in pages for event in page["events"]]
