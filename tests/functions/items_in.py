"""Bring items into a state through the API and the functions, and read what is stored of them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import boto3

from functions.room_events import event
from readdo import clock
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.write import Compare, Key, Write
from readdo.read import artifacts, item_keys
from readdo.read.rows import ArtifactRow
from readdo.store import keys
from support.world import World

PAST = "2020-01-01T00:00:00.000Z"
FUTURE = "2099-01-01T00:00:00.000Z"
PIPELINE = ("extract", "summarize", "score", "todos", "card")
ARTIFACT_OF_STEP = {"extract": "extraction", "summarize": "summary", "score": "score", "todos": "todos", "card": "card"}
CHINESE = {
    "intent_text": "让我们的任务队列不怕过期的进程",
    "title": "栅栏令牌",
    "content": (
        "租约让两个工作进程不会同时处理同一个任务。进程把自己的名字和到期时间写到记录上，只有记录仍然空闲时写入才会成功。"
        "人们最容易忘记的是栅栏令牌：之后的每一次写入都必须带上租约的编号。我们用一万条历史比较了三种设计，"
        "只有检查编号的方案没有放过任何过期写入。第一步是列出所有写入，第二步是给每个写入加上条件。"
    ),
}
# Todos that a user sends with PUT.
TODOS = {
    "todos": [
        {"title": f"Write down {what}", "eta": "30m", "type": "WRITE", "why": "", "priority": "P1", "tags": []}
        for what in ("every write", "every condition", "every test")
    ]
}
AI_FAILED = StepFailed("AI_SCHEMA_INVALID", "The summary did not have the form it must have.", retryable=False)
RENDER_FAILED = StepFailed("EXPORT_RENDER_FAILED", "The png file could not be made.", retryable=False)


@contextmanager
def function_fails(world: World, function: str, error: Exception) -> Iterator[None]:
    """The function raises this error inside the block."""

    def stop(_: Callable[..., Any], __: dict[str, Any]) -> Any:
        raise error

    world.instead[function] = stop
    try:
        yield
        world.settle()
    finally:
        del world.instead[function]


def no_lease_taken(world: World) -> Any:
    """Executions end before they take the lease."""
    return function_fails(world, "lease", LeaseLost("stopped by the test"))


def queued_item(world: World, **capture: Any) -> str:
    with no_lease_taken(world):
        return world.capture(**capture)


def step_event(world: World, item_id: str, function: str, case: str = "in_turn", **over: Any) -> dict[str, Any]:
    """The event that the workflow passes to the function for the item's current run."""
    row = world.row(item_id)
    return event(function, case, **{"item": item_id, "run": row["run_id"], "epoch": row["lease_epoch"], **over})


def item_at_step(world: World, function: str, **capture: Any) -> str:
    """An item in PROCESSING whose next step is this function; the earlier functions are invoked directly."""
    item_id = queued_item(world, **capture)
    world.invoke("lease", step_event(world, item_id, "lease", "first_start"))
    for step in PIPELINE[: PIPELINE.index(function)] if function in PIPELINE else PIPELINE:
        world.invoke(step, step_event(world, item_id, step))
    return item_id


def item_in(world: World, status: str, **capture: Any) -> str:
    """An item in this state, reached by API calls and by the end of a run."""
    if status == "CAPTURED":
        return world.capture(process=False, **capture)
    if status == "QUEUED":
        return queued_item(world, **capture)
    if status == "PROCESSING":
        return _capture_failing_at(world, "extract", LeaseLost("stopped by the test"), capture)
    if status == "FAILED_EXTRACTION":
        return _processed(
            world,
            {"url": f"https://example.org/{clock.new_id(clock.now())}", "content": "Too short a text.", **capture},
        )
    if status == "FAILED_AI":
        return _capture_failing_at(world, "summarize", AI_FAILED, capture)
    item_id = _processed(world, capture)
    if status == "FAILED_EXPORT":
        with function_fails(world, "export", RENDER_FAILED):
            world.api("POST", f"/items/{item_id}/export", {"export_key": "fails"})
    elif status in ("SHIPPED", "ARCHIVED"):
        world.api("POST", f"/items/{item_id}/{'ship' if status == 'SHIPPED' else 'archive'}")
    assert world.row(item_id)["status"] == status
    return item_id


def item_with_failed_rerun(world: World) -> str:
    """An item in FAILED_AI that still has a complete served set."""
    item_id = item_in(world, "READY")
    with function_fails(world, "summarize", AI_FAILED):
        world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    return item_id


def update_row(world: World, item_id: str, **sets: Any) -> None:
    """Change the item's row directly, for instance its times."""
    world.table.write(Write(item_keys.item(world.owner, item_id), sets=sets))


def make_due(world: World, item_id: str, at: str = PAST) -> None:
    row = world.row(item_id)
    update_row(world, item_id, due_at=at, **({"lease_expires_at": at} if "lease_expires_at" in row else {}))


def stored_data(world: World, item_id: str) -> dict[str, Any]:
    """The rows and objects of an item. Two equal results mean that nothing was written in between."""
    s3, bucket = boto3.client("s3"), world.outputs["BucketName"]
    pages = [
        s3.list_objects_v2(Bucket=bucket, Prefix=f"{folder}/{world.owner}/{item_id}/")
        for folder in ("content", "artifacts", "exports")
    ]
    return {
        "item": world.row(item_id),
        "inside": sorted(world.table.query(_item_partition(world, item_id)).rows, key=lambda row: str(row["sk"])),
        "objects": [(o["Key"], o["ETag"]) for page in pages for o in page.get("Contents", [])],
    }


def versions(world: World, item_id: str, kind: str) -> list[dict[str, Any]]:
    """The stored artifacts of a kind, ordered by version."""
    rows = world.table.query(_item_partition(world, item_id), between=keys.stretch(f"A#{kind}#")).rows
    return sorted(
        (artifacts.envelope(cast("ArtifactRow", row)) for row in rows), key=lambda artifact: int(artifact["version"])
    )


def run_together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Start `count` threads together; return the result or the exception of each."""
    barrier = threading.Barrier(count)
    results: list[Any] = [None] * count

    def run_one(n: int) -> None:
        barrier.wait()
        try:
            results[n] = work(n)
        except Exception as error:
            results[n] = error

    threads = [threading.Thread(target=run_one, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def _processed(world: World, capture: dict[str, Any]) -> str:
    """Process an item to its end; without captured fields, copy this world's first READY item."""
    if capture:
        item_id = world.capture(**capture)
        world.settle()
        return item_id
    owner = (world.table.name, world.owner)
    if owner not in _READY:
        model_id = world.capture()
        world.settle()
        _READY[owner] = (world.row(model_id), world.table.query(_item_partition(world, model_id)).rows)
    return _copy_item(world, *_READY[owner])


_READY: dict[tuple[str, str], tuple[dict[str, Any], list[dict[str, Any]]]] = {}


def _copy_item(world: World, row: dict[str, Any], children: list[dict[str, Any]]) -> str:
    item_id = clock.new_id(clock.now())
    place = item_keys.inbox_place_ready(row["priority"], row["match_score"], item_id)
    world.table.write(Write(item_keys.item(world.owner, item_id), "put", row={**row, "id": item_id, **place}))
    for child in children:
        world.table.write(Write(Key(item_keys.item_partition(world.owner, item_id), child["sk"]), "put", row=child))
    return item_id


def _item_partition(world: World, item_id: str) -> Compare:
    return keys.partition(item_keys.item_partition(world.owner, item_id))


def _capture_failing_at(world: World, function: str, error: Exception, capture: dict[str, Any]) -> str:
    with function_fails(world, function, error):
        return world.capture(**capture)
