"""Description of the Do desk."""

from typing import Any

from readdo.do.task_requests import PRIORITIES
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK

from .. import fields
from ..desk_description import DeskDescription, Topic
from ..examples import ITEM_ID
from ..fields import many_parameter, query_parameter, text_schema
from . import do_examples, do_models
from .do_examples import RUN_ID, TASK_ID

_TASK_CALLS = {"enqueueTask": "enqueue", "requeueTask": "requeue", "blockTask": "block", "cancelTask": "cancel"}
_RUN_CALLS = {"startRun": "start", "heartbeatRun": "renew", "completeRun": "succeed", "attachEvidence": "attach"}
_QUERIES: dict[str, dict[str, Any]] = {
    "status": many_parameter("status", "Filter by status.", TASK.states),
    "priority": many_parameter("priority", "Filter by priority.", PRIORITIES),
    "intent": query_parameter("intent", "Filter by type of the task.", {"type": "string"}, "runQA"),
    "project": query_parameter("project", "Filter by project.", {"type": "string"}, "readdo"),
    "cursor": query_parameter("cursor", "The `next_cursor` of the previous page.", text_schema("^[A-Za-z0-9_-]+$")),
}

DESCRIPTION = DeskDescription(
    topics=(
        Topic(
            "Tasks",
            "Work to do. Accept a todo to create a task, or add a task from a script or another program. A worker (a "
            "person or your program) claims it.",
            (
                *("addTask", "listTasks", "getTask", "acceptTodo", "claimTask"),
                *("enqueueTask", "requeueTask", "blockTask", "cancelTask"),
            ),
        ),
        Topic(
            "Runs",
            "An attempt of a worker at a task. The worker starts it, sends heartbeats, attaches evidence and completes "
            "it.",
            ("listRuns", "getRun", "startRun", "heartbeatRun", "completeRun", "attachEvidence", "getEvidence"),
        ),
        Topic("Health", "Health and metrics of the Do desk.", ("getHealth", "getMetrics", "recount")),
    ),
    answers=do_models.ANSWERS,
    requests=do_examples.REQUESTS,
    responses=do_examples.ANSWERS,
    places={
        "task_id": ("Id of the task.", {"type": "string", "format": "uuid", "pattern": fields.UUID}, TASK_ID),
        "run_id": ("Id of the run.", text_schema(fields.ID), RUN_ID),
    },
    queries={
        "listTasks": _QUERIES,
        "listRuns": {**_QUERIES, "status": many_parameter("status", "Filter by status.", RUN.states)},
    },
    resources={
        **dict.fromkeys((*_TASK_CALLS, "getTask"), "task"),
        **dict.fromkeys((*_RUN_CALLS, "getRun"), "run"),
        "getEvidence": "evidence",
    },
    conflicts={
        **{name: Forbidden(TASK, does, {"id": TASK_ID, "status": "done"}) for name, does in _TASK_CALLS.items()},
        **{name: Forbidden(RUN, does, {"id": RUN_ID, "status": "cancelled"}) for name, does in _RUN_CALLS.items()},
        "acceptTodo": Forbidden(ITEM, "accept", {"id": ITEM_ID, "status": "ARCHIVED"}),
    },
    wrong_bodies={
        "NewTask": '{"intent": "run QA", "priority": "P9"}',
        "Claim": '{"worker": "", "lease_seconds": 5}',
        "Complete": '{"exit_code": 0, "error_kind": "network"}',
        "NewEvidence": '{"type": "film", "name": "a.mp4", "bytes": 0, "sha256": "?"}',
        "Block": '{"reason": ""}',
        "Requeue": '{"regardless": "yes"}',
        "AcceptTodo": '{"version": 0}',
    },
)
