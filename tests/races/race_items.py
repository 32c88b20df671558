"""Items brought to where a race begins, by the product's own moves."""

from typing import Any

from race_round import Round

from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import capture, item_commands, item_transactions, run
from readdo.read.capture_request import CaptureRequest
from readdo.read.item_transactions import Build, Command
from readdo.store import keys

PAST = "2020-01-01T00:00:00.000Z"
PAGES = ("https://example.org/leases", "https://example.org/栅栏令牌")
INTENTS = ("make our job queue safe", "让我们的任务队列不怕过期的进程")


def wish(number: int = 0, **more: Any) -> CaptureRequest:
    """In English and in Chinese, by turns."""
    kept = {"content": "Leases keep two workers apart. 租约让两个进程不会同时做一件事。", "process": False}
    return CaptureRequest(INTENTS[number % 2], **{**kept, **more})


def captured(round_: Round, **more: Any) -> dict[str, Any]:
    return capture.capture(round_.table, round_.owner, wish(**more), clock.now()).item


def done(round_: Round, item_id: str, name: str, build: Build, *, key: str = "", **request: Any) -> dict[str, Any]:
    command = Command(round_.owner, item_id, name, key, request)
    return item_transactions.carry_out(round_.table, command, build, clock.now())


def queued(round_: Round) -> run.RunFence:
    item_id = captured(round_)["id"]
    item = done(round_, item_id, "process", item_commands.requeue("process"))["item"]
    return run.RunFence(round_.owner, item_id, item["run_id"])


def leased(round_: Round) -> run.RunFence:
    return run.lease(round_.table, queued(round_), "first", clock.now())


def step(round_: Round, holder: run.RunFence, kind: str) -> None:
    round_.arena.sample.make(round_.table, holder, (kind,))


def at_the_gate(round_: Round) -> run.RunFence:
    holder = leased(round_)
    round_.arena.sample.make(round_.table, holder)
    return holder


def ready(round_: Round) -> str:
    return round_.arena.sample.copied(round_.table, round_.owner)


def rewrite(round_: Round, item_id: str, **sets: Any) -> None:
    """Time passes: what the row says of it is moved."""
    round_.table.write(Write(keys.item(round_.owner, item_id), sets=sets))
