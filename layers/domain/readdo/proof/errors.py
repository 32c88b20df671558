"""Refused commands on proof jobs, as API errors."""

from collections.abc import Mapping
from typing import Any, cast

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.proof_job import JOB
from readdo.proof import views
from readdo.proof.chunk_states import counts_of
from readdo.proof.job_files import has_text
from readdo.proof.job_rows import JobRow
from readdo.web.errors import ApiError

_ACTIONS = {"retry_failed": "retry-failed"}


def _explain_job(refused: Refused, row: Mapping[str, Any]) -> ApiError:
    job = cast("JobRow", dict(row))
    state, phase = views.state_of(job["status"]), views.phase_of(job["status"])
    action = _ACTIONS.get(refused.trigger, refused.trigger)
    without_text = "without_text" in row
    available = views.available(job, uploaded=not without_text and has_text(job))
    details: dict[str, Any] = {"state": state, "phase": phase, "available_actions": available}
    if "progress" in row:
        details["counts"] = counts_of(job, row["progress"])
    code, text = "STATE_CONFLICT", f"The job is {state} in phase {phase}, so {action} is not possible."
    if without_text:
        code, text = "JOB_NOT_UPLOADED", f"The text is not uploaded yet, so {action} is not possible. Upload it first."
    elif phase == "process" and state == "error" and refused.trigger in ("merge", "start"):
        code, text = "FAILED_CHUNKS", f"Some chunks failed, so {action} is not possible. Retry the failed chunks first."
    elif phase == "process" and refused.trigger == "merge":
        code, text = "CHUNKS_INCOMPLETE", "Not all chunks are done, so merge is not possible. Process the text first."
    if available:
        text += f" Available now: {', '.join(action['action'] for action in available)}."
    return ApiError(409, code, text, details)


REFUSALS = {JOB.name: _explain_job}
