"""Collect-work function: do the assignments of a batch, or read a schedule for the API."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo import store
from readdo.collect.own_worker import worker_run
from readdo.errors import StepFailed
from readdo.messages import stored_fields
from readdo.runtime import logger, redact_errors

# An assignment that was begun may read 15 pages of 20 seconds each.
RESERVED_MILLISECONDS = 330_000


@redact_errors
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    if "schedule_url" in event:
        return _propose(event["schedule_url"])
    logger.append_keys(batch=event["batch"])
    return worker_run.work_on_batch(
        store.open_table(), event, lambda: context.get_remaining_time_in_millis() > RESERVED_MILLISECONDS
    )


def _propose(schedule_url: str) -> dict[str, Any]:
    try:
        return worker_run.propose_documents(schedule_url)
    except StepFailed as error:
        return {"problem": str(error.message), **stored_fields(error.message)}
