"""Background work that a desk registers: due rows, heartbeats, failed executions; and retry times."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo.store.table import DynamoTable

HEARTBEAT = "system:heartbeat"
RECORDER = "system:record_failure"

# (table, row, time) → trigger of the move
DueHandler = Callable[[DynamoTable, dict[str, Any], str], str]
# (table, time)
Beat = Callable[[DynamoTable, str], None]
# By the field that identifies the input of an execution: (table, input, caught error, time) → code of the failure
FailureRecorder = Callable[[DynamoTable, Mapping[str, Any], Mapping[str, str], str], str]
RETRY_SECONDS = (30, 60, 120)
TIMEOUT_RETRY_SECONDS = (300,)  # a second timeout is likely, so there is only one retry


@dataclass(frozen=True)
class BackgroundWork:
    due: Mapping[str, DueHandler] = field(default_factory=dict)  # prefix of the sort key → handler of a due row
    beats: tuple[Beat, ...] = ()  # called once a heartbeat, after the due rows


def as_seen(row: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Parameters of a move that requires the due time that was read."""
    return {"due_seen": row["due_at"], "now": at}


def epoch_as_seen(row: Mapping[str, Any], at: str) -> dict[str, Any]:
    return {**as_seen(row, at), "epoch": row["epoch"]}
