"""Items brought to where a test needs them, by the product's own ways, and what the database then holds of them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from room_events import event

from readdo import clock, ids
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.conditions import Compare
from readdo.lifecycle.write import Key, Write
from readdo.store import artifacts, inbox, keys
from support.world import World

PAST = "2020-01-01T00:00:00.000Z"
FUTURE = "2099-01-01T00:00:00.000Z"
PIPELINE = ("extract", "summarize", "score", "todos", "card")
MAKES = {"extract": "extraction", "summarize": "summary", "score": "score", "todos": "todos", "card": "card"}
CHINESE = {
    "intent_text": "让我们的任务队列不怕过期的进程",
    "title": "栅栏令牌",
    "content": (
        "租约让两个工作进程不会同时处理同一个任务。进程把自己的名字和到期时间写到记录上，只有记录仍然空闲时写入才会成功。"
        "人们最容易忘记的是栅栏令牌：之后的每一次写入都必须带上租约的编号。我们用一万条历史比较了三种设计，"
        "只有检查编号的方案没有放过任何过期写入。第一步是列出所有写入，第二步是给每个写入加上条件。"
    ),
}
# The user's own, as a PUT sends them.
TODOS = {
    "todos": [
        {"title": f"Write down {what}", "eta": "30m", "type": "WRITE", "why": "", "priority": "P1", "tags": []}
        for what in ("every write", "every condition", "every test")
    ]
}
AI_FAILED = StepFailed("AI_SCHEMA_INVALID", "The summary did not have the form it must have.", retryable=False)
NOT_DRAWN = StepFailed("EXPORT_RENDER_FAILED", "The png file could not be made.", retryable=False)


@contextmanager
def stopped(world: World, room: str, error: Exception) -> Iterator[None]:
    """What runs in here ends at this room with this error."""

    def stop(_: Callable[..., Any], __: dict[str, Any]) -> Any:
        raise error

    world.instead[room] = stop
    try:
        yield
        world.settle()
    finally:
        del world.instead[room]


def stays_queued(world: World) -> Any:
    """As if executions died before they took the lease."""
    return stopped(world, "lease", LeaseLost("stopped by the test"))


def queued(world: World, **capture: Any) -> str:
    with stays_queued(world):
        return world.capture(**capture)


def in_turn(world: World, item_id: str, room: str, case: str = "in_turn", **over: Any) -> dict[str, Any]:
    """The event that the workflow would hand to the room for the item's present run."""
    row = world.row(item_id)
    return event(room, case, **{"item": item_id, "run": row["run_id"], "epoch": row["lease_epoch"], **over})


def brought_to(world: World, room: str, **capture: Any) -> str:
    """An item in PROCESSING whose next step is this room: the rooms before it were invoked by hand."""
    item_id = queued(world, **capture)
    world.invoke("lease", in_turn(world, item_id, "lease", "first_start"))
    for earlier in PIPELINE[: PIPELINE.index(room)] if room in PIPELINE else PIPELINE:
        world.invoke(earlier, in_turn(world, item_id, earlier))
    return item_id


def item_in(world: World, status: str, **capture: Any) -> str:
    """An item in this state, as a user's calls and a run's fate lead to it."""
    if status == "CAPTURED":
        return world.capture(process=False, **capture)
    if status == "QUEUED":
        return queued(world, **capture)
    if status == "PROCESSING":
        return _ended_at(world, "extract", LeaseLost("stopped by the test"), capture)
    if status == "FAILED_EXTRACTION":
        return _settled(
            world, {"url": f"https://example.org/{ids.new(clock.now())}", "content": "Too short a text.", **capture}
        )
    if status == "FAILED_AI":
        return _ended_at(world, "summarize", AI_FAILED, capture)
    item_id = _settled(world, capture)
    if status == "FAILED_EXPORT":
        with stopped(world, "export", NOT_DRAWN):
            world.api("POST", f"/items/{item_id}/export", {"export_key": "fails"})
    elif status in ("SHIPPED", "ARCHIVED"):
        world.api("POST", f"/items/{item_id}/{'ship' if status == 'SHIPPED' else 'archive'}")
    assert world.row(item_id)["status"] == status
    return item_id


def rerun_failed(world: World) -> str:
    """FAILED_AI over a good set."""
    item_id = item_in(world, "READY")
    with stopped(world, "summarize", AI_FAILED):
        world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    return item_id


def rewrite(world: World, item_id: str, **sets: Any) -> None:
    """Change the item's row behind the product's back, for instance its times."""
    world.table.write(Write(keys.item(world.owner, item_id), sets=sets))


def is_due(world: World, item_id: str, at: str = PAST) -> None:
    row = world.row(item_id)
    rewrite(world, item_id, due_at=at, **({"lease_expires_at": at} if "lease_expires_at" in row else {}))


def everything(world: World, item_id: str) -> dict[str, Any]:
    """All that the database and the bucket hold of an item: equal means that nothing was written."""
    s3, bucket = boto3.client("s3"), world.outputs["BucketName"]
    found = [
        s3.list_objects_v2(Bucket=bucket, Prefix=f"{room}/{world.owner}/{item_id}/")
        for room in ("content", "artifacts", "exports")
    ]
    return {
        "item": world.row(item_id),
        "inside": sorted(world.table.query(_inside(world, item_id)).rows, key=lambda row: str(row["sk"])),
        "objects": [(o["Key"], o["ETag"]) for page in found for o in page.get("Contents", [])],
    }


def versions(world: World, item_id: str, kind: str) -> list[dict[str, Any]]:
    """The artifacts of a kind that there are, by number."""
    rows = world.table.query(_inside(world, item_id), between=keys.stretch(f"A#{kind}#")).rows
    return sorted((artifacts.envelope(row) for row in rows), key=lambda made: int(made["version"]))


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    """What each of `count` threads that start together returned or raised."""
    barrier = threading.Barrier(count)
    found: list[Any] = [None] * count

    def one(n: int) -> None:
        barrier.wait()
        try:
            found[n] = work(n)
        except Exception as error:
            found[n] = error

    threads = [threading.Thread(target=one, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def _settled(world: World, capture: dict[str, Any]) -> str:
    """Read to its end; where nothing special was captured, a copy of the first such item of this world will do."""
    if capture:
        item_id = world.capture(**capture)
        world.settle()
        return item_id
    name = (world.table.name, world.owner)
    if name not in _READY:
        model = world.capture()
        world.settle()
        _READY[name] = (world.row(model), world.table.query(_inside(world, model)).rows)
    return _copied(world, *_READY[name])


_READY: dict[tuple[str, str], tuple[dict[str, Any], list[dict[str, Any]]]] = {}


def _copied(world: World, row: dict[str, Any], inside: list[dict[str, Any]]) -> str:
    item_id = ids.new(clock.now())
    place = inbox.place_ready(row["priority"], row["match_score"], item_id)
    world.table.write(Write(keys.item(world.owner, item_id), "put", row={**row, "id": item_id, **place}))
    for made in inside:
        world.table.write(Write(Key(keys.inside(world.owner, item_id), made["sk"]), "put", row=made))
    return item_id


def _inside(world: World, item_id: str) -> Compare:
    return keys.partition(keys.inside(world.owner, item_id))


def _ended_at(world: World, room: str, error: Exception, capture: dict[str, Any]) -> str:
    with stopped(world, room, error):
        return world.capture(**capture)
