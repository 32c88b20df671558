"""Items in the state in which a race begins, created by the product's own commands."""

from typing import Any

from races.race_round import Round
from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import capture, item_commands, item_keys, item_transactions, run_steps
from readdo.read.item_rows import CaptureRequest
from readdo.read.item_transactions import Build, Command
from readdo.read.rows import ItemRow

PAST = "2020-01-01T00:00:00.000Z"
PAGES = ("https://example.org/leases", "https://example.org/栅栏令牌")
INTENTS = ("make our job queue safe", "让我们的任务队列不怕过期的进程")


def capture_request(number: int = 0, **more: Any) -> CaptureRequest:
    """Return a capture request, alternately in English and Chinese."""
    defaults = {"content": "Leases keep two workers apart. 租约让两个进程不会同时做一件事。", "process": False}
    return CaptureRequest(INTENTS[number % 2], **{**defaults, **more})


def capture_item(round_: Round, **more: Any) -> ItemRow:
    return capture.capture(round_.table, round_.owner, capture_request(**more), clock.now()).item


def run_command(
    round_: Round, item_id: str, name: str, build: Build, *, key: str = "", **request: Any
) -> dict[str, Any]:
    command = Command(round_.owner, item_id, name, key, request)
    return item_transactions.carry_out(round_.table, command, build, clock.now())


def queue_item(round_: Round) -> run_steps.RunFence:
    item_id = capture_item(round_)["id"]
    item = run_command(round_, item_id, "process", item_commands.requeue("process"))["item"]
    return run_steps.RunFence(round_.owner, item_id, item["run_id"])


def lease_item(round_: Round) -> run_steps.RunFence:
    return run_steps.lease(round_.table, queue_item(round_), "first", clock.now())


def step(round_: Round, holder: run_steps.RunFence, kind: str) -> None:
    round_.arena.sample.make(round_.table, holder, (kind,))


def item_at_the_gate(round_: Round) -> run_steps.RunFence:
    holder = lease_item(round_)
    round_.arena.sample.make(round_.table, holder)
    return holder


def ready_item(round_: Round) -> str:
    return round_.arena.sample.copied(round_.table, round_.owner)


def rewrite(round_: Round, item_id: str, **sets: Any) -> None:
    """Overwrite attributes of the item's row, for example to move its times into the past."""
    round_.table.write(Write(item_keys.item(round_.owner, item_id), sets=sets))
