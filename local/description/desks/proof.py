"""Description of the Proof desk."""

from typing import Any

from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.proof_job import JOB, PHASES, STATES
from readdo.proof.chunk_states import FILTERS

from .. import fields
from ..desk_description import DeskDescription, Topic
from ..fields import many_parameter, query_parameter, text_schema
from . import proof_examples, proof_models
from .proof_examples import FAILED, JOB_ID, READY_TO_MERGE, VALIDATING

_CALLS = ("validateJob", "startJob", "resumeJob", "pauseJob", "retryFailedChunks", "mergeJob", "resetJob", "rerunJob")
_READS = ("getJob", "listChunks", "getOutput", "getReport")
_CHUNK_LIMIT: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 500, "default": 100}

DESCRIPTION = DeskDescription(
    topics=(
        Topic(
            "Proof",
            "Check a long text chunk by chunk: rules first, then a model, then a merge. Each step waits for you.",
            ("createJob", "listJobs", *_READS, "getChunk", *_CALLS),
        ),
    ),
    answers=proof_models.ANSWERS,
    requests=proof_examples.REQUESTS,
    responses=proof_examples.ANSWERS,
    places={
        "job_id": ("Id of the job.", text_schema(fields.ID), JOB_ID),
        "chunk_number": ("Number of the chunk, from 0.", {"type": "integer", "minimum": 0, "maximum": 9_999_999}, 3),
    },
    queries={
        "listJobs": {
            "state": many_parameter(
                "state", "Filter by state. No job is `cancelled`: it is gone.", (*STATES, "cancelled")
            ),
            "phase": many_parameter("phase", "Filter by phase.", PHASES),
            "cursor": query_parameter("cursor", "The `next_cursor` of the previous page.", text_schema(fields.ID)),
        },
        "listChunks": {
            "state": query_parameter("state", "Filter by state.", {"enum": list(FILTERS)}, "error"),
            "cursor": query_parameter("cursor", "The `next_cursor` of the previous page.", text_schema(r"^\d{1,9}$")),
            "limit": query_parameter("limit", "Maximum number of results.", _CHUNK_LIMIT),
        },
    },
    resources={**dict.fromkeys((*_CALLS, *_READS), "job"), "getChunk": "chunk"},
    conflicts={
        "validateJob": Forbidden(JOB, "validate", READY_TO_MERGE),
        **{name: Forbidden(JOB, "start", READY_TO_MERGE) for name in ("startJob", "resumeJob")},
        "pauseJob": Forbidden(JOB, "pause", READY_TO_MERGE),
        "retryFailedChunks": Forbidden(JOB, "retry_failed", READY_TO_MERGE),
        "mergeJob": Forbidden(JOB, "merge", VALIDATING),
        "getOutput": Forbidden(JOB, "output", FAILED),
        "getReport": Forbidden(JOB, "report", FAILED),
    },
    wrong_bodies={
        "NewJob": '{"filename": "", "size": 0, "options": {"chunk_chars": 50}}',
        "ValidateJob": '{"encoding": "klingon"}',
        "StartJob": '{"model": 4}',
        "PauseJob": '{"drain": "yes"}',
        "MergeJob": '{"as_input": 1}',
        "ResetJob": '{"confirm": "yes"}',
    },
)
