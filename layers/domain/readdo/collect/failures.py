"""Record a failed execution of our own worker. The heartbeat puts its assignments back."""

from collections.abc import Mapping
from typing import Any

from readdo.collect import collect_keys
from readdo.errors import LeaseLost
from readdo.jobs.background_work import RECORDER, FailureRecorder
from readdo.lifecycle.advance import Change, Refused, advance, move
from readdo.lifecycle.collect_batch import BATCH
from readdo.messages import message, stored_fields
from readdo.store.keys import due
from readdo.store.table import DynamoTable

WORK_LOST = "WORK_LOST"


def _record_failure(table: DynamoTable, event: Mapping[str, Any], _error: Mapping[str, str], at: str) -> str:
    owner, name = str(event["owner"]), str(event["batch"])
    text = message("collect.work_lost")
    failure = {"error_code": WORK_LOST, "message": text, **stored_fields(text)}
    change = Change({"failure": failure, **due(name, at)})
    try:
        advance(table, move(BATCH, "lose_work", collect_keys.batch(owner, name), who=RECORDER, at=at, change=change))
    except Refused as refused:  # the output was applied, or the batch has timed out
        raise LeaseLost(str(refused)) from refused
    return WORK_LOST


FAILURES: Mapping[str, FailureRecorder] = {"batch": _record_failure}
