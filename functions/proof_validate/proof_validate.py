"""Proof-validate function: decode a text, apply the rules, and cut it into chunks."""

from typing import Any

from readdo import store
from readdo.jobs.sliced_job import Slice
from readdo.proof.job_workflow import PROOF_JOB
from readdo.proof.validation import validate_text
from readdo.runtime import logger, redact_errors


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    current = Slice.of(PROOF_JOB, event)
    logger.append_keys(job=current.id, epoch=current.epoch)
    validate_text(store.open_table(), current)
    return event
