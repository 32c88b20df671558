"""Proof-slice function: process chunks of a text until the time is up."""

import time
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo import store
from readdo.proof.job_rows import JobRow
from readdo.proof.processing import process_slice
from readdo.runtime import logger, redact_errors, seconds

# A chunk that was begun may take as long as its timeout, and its outcome must be written.
RESERVED_MILLISECONDS = 30_000


@redact_errors
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    ends_at = time.monotonic() + seconds("PROOF_SLICE_SECONDS", 840)

    def time_left(job: JobRow) -> bool:
        reserved = job["options"]["timeout"] * 1000 + RESERVED_MILLISECONDS
        return time.monotonic() < ends_at and context.get_remaining_time_in_millis() > reserved

    logger.append_keys(job=event["job"], execution=event["execution"])
    return process_slice(store.open_table(), event, time_left)
