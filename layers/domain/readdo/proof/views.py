"""Public views of a proof job and its available actions."""

import json
from typing import Any

from readdo.engine import settings
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.state_machine import USER
from readdo.proof.chunk_states import counts_of
from readdo.proof.job_files import has_text, upload_of
from readdo.proof.job_rows import MODEL_ENGINE, JobRow, ProgressRow
from readdo.store.keys import shown

_SHOWN = (
    *("id", "filename", "size", "version", "created_at", "updated_at", "encoding", "preview", "paragraphs"),
    *("characters", "changes", "wait_reason", "failure", "draining", "as_input", "done_at"),
)
# trigger of the table → actions of the API
_ACTIONS = {
    "validate": ("validate",),
    "start": ("start", "resume"),
    "pause": ("pause",),
    "retry_failed": ("retry-failed",),
    "merge": ("merge",),
    "reset": ("reset",),
}


def state_of(status: str) -> str:
    return status.partition("/")[0]


def phase_of(status: str) -> str:
    return status.partition("/")[2]


def view(job: JobRow, progress: ProgressRow) -> dict[str, Any]:
    counts = counts_of(job, progress)
    options = job["options"]
    result = {
        **shown(job, _SHOWN),
        "state": state_of(job["status"]),
        "phase": phase_of(job["status"]),
        "options": {**options, "extra_params": json.loads(options["extra_params"])},
        "engine": options["engine"],
        "progress": {"total_chunks": job.get("total_chunks", 0), "done_chunks": progress["done"]},
        "counts": counts,
        "changes": job.get("changes", {}),
        "llm_model": job.get("llm_model"),
        "last_retry_count": progress["retries"],
        **tokens_of(progress),
    }
    if "total_chunks" in job:
        result["estimate"] = _estimate(job)
    if options["max_cost"]:
        result["max_cost_watched"] = any(settings.prices())
    if "merged" in job:
        result["output"] = shown(job["merged"], ("filename", "bytes", "sha256"))
    return result


def tokens_of(progress: ProgressRow) -> dict[str, Any]:
    return {"tokens": {"sent": progress.get("tokens_in", 0), "received": progress.get("tokens_out", 0)}}


def detail(job: JobRow, progress: ProgressRow) -> dict[str, Any]:
    """Includes the available actions, and an upload link until the text is there."""
    uploaded = has_text(job)
    response = {"job": view(job, progress), "available_actions": available(job, uploaded=uploaded)}
    return response if uploaded else {**response, "upload": upload_of(job)}


def available(job: JobRow, *, uploaded: bool) -> list[dict[str, str]]:
    """The calls that would not be refused now."""
    triggers = [name for name in JOB.open_to(USER, job) if uploaded or name != "validate"]
    names = [action for trigger in triggers for action in _ACTIONS.get(trigger, ())]
    path = f"/jobs/{job['id']}"
    actions = [{"action": name, "method": "POST", "path": f"{path}/{name}"} for name in names]
    if "merged" in job:
        actions += [{"action": name, "method": "GET", "path": f"{path}/{name}"} for name in ("output", "report")]
    if uploaded:
        actions.append({"action": "rerun", "method": "POST", "path": f"{path}/rerun"})
    return actions


def _estimate(job: JobRow) -> dict[str, Any]:
    """Size and price of one pass through the model. The price is only known if prices are set."""
    estimate: dict[str, Any] = {"characters": job["characters"], "chunks": job["total_chunks"]}
    if job["options"]["engine"] == MODEL_ENGINE:
        sent = job["tokens"] + 300 * job["total_chunks"]  # with the instructions
        estimate |= {"tokens_in": sent, "tokens_out": job["tokens"]}
        prices = settings.prices()
        if any(prices):
            estimate["cost"] = f"{settings.cost_of(sent, job['tokens'], prices):.4f}"
    return estimate
