"""The heartbeat: handle all due rows, with the same lifecycle moves as all other code.

Concurrent sweeps are safe: each move requires the due time that was read, so only one of them succeeds. A new desk adds
its `background.WORK` to DESKS.
"""

from collections.abc import Callable

from readdo import clock, runtime
from readdo.collect import background as collect
from readdo.do import background as do
from readdo.errors import LeaseLost
from readdo.integrations import background as integrations
from readdo.jobs.background_work import DueHandler
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.write import Key, WriteRefused
from readdo.proof import background as proof
from readdo.read import background as read
from readdo.runtime import log_error, logger
from readdo.store.due import overdue
from readdo.store.table import DynamoTable
from readdo.transfer import background as transfer

DESKS = (
    read.WORK,
    do.WORK,
    proof.WORK,
    collect.WORK,
    transfer.WORK,
    integrations.WORK,
)
BEATS = tuple(beat for work in DESKS for beat in work.beats)
HANDLERS = {prefix: handler for work in DESKS for prefix, handler in work.due.items()}


def due_handler(sort_key: str) -> DueHandler:
    return next(handler for prefix, handler in HANDLERS.items() if sort_key.startswith(prefix))


def sweep(table: DynamoTable, time_left: Callable[[], bool]) -> dict[str, int]:
    """Number of moves by trigger. No new work is started when `time_left` returns False."""
    done: dict[str, int] = {}
    began = oldest = clock.now()
    for key, due_at in overdue(table, began):
        oldest = min(oldest, due_at)
        if not time_left():
            break
        try:
            trigger = _attend(table, key, clock.now())
        except (Refused, WriteRefused, LeaseLost) as refused:
            trigger = "lost_a_race"
            logger.info("somebody was faster", extra={"row": key.sk, "refused": str(refused)})
        except Exception as error:
            trigger = "failed"
            log_error("due work failed; it stays due", error, row=key.sk)
        done[trigger] = done.get(trigger, 0) + 1
    runtime.record_oldest_due(clock.seconds_between(oldest, began))
    for beat in BEATS:
        try:
            beat(table, began)
        except Exception as error:  # independent work: a failure does not affect the rest
            log_error("a part of the heartbeat failed; the next does it", error)
    return done


def _attend(table: DynamoTable, key: Key, at: str) -> str:
    row = table.get(key)
    if row is None or row.get("due_at", at) >= at:
        return "no_longer_due"
    return due_handler(key.sk)(table, row, at)
