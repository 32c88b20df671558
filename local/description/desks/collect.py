"""Description of the Collect desk."""

from readdo.collect.assignment_validation import TYPES
from readdo.collect.completeness import COMPLETE, INCOMPLETE, PARTIAL
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.collect_batch import BATCH
from readdo.web.errors import ApiError

from .. import fields
from ..desk_description import DeskDescription, Topic
from ..fields import many_parameter, query_parameter, text_schema
from . import collect_examples, collect_models, library_models
from .collect_examples import BATCH_NAME, CHECKED, DONE, PATH

_SPLIT = query_parameter(
    "split", "true: more than 5 documents become several assignments.", {"type": "boolean", "default": False}
)
_CURSOR = query_parameter("cursor", "The `next_cursor` of the previous page.", {"type": "string", "maxLength": 100})
_OF_ASSIGNMENT = ("skipAssignment", "retryAssignment", "continueAssignment")
_POOL = (
    *("addAssignments", "validateAssignments", "expandSchedule", "listAssignments", "getAssignment"),
    *_OF_ASSIGNMENT,
)
_INVALID = ApiError(
    400,
    "VALIDATION_ERROR",
    "1 of 2 assignments are not valid, and none was stored.",
    {"results": CHECKED["results"], "fields": CHECKED["results"][1]["errors"]},
)
_FAULTS = [{"pointer": "/summary/success", "message": "must be 1, as in results"}]
_REFUSED = "The output is refused whole, and nothing has changed. Correct the faults and send it again."

DESCRIPTION = DeskDescription(
    topics=(
        Topic(
            "Assignments",
            "A pool of work on a library of documents. Nothing is done until its documents have been verified.",
            (
                "addAssignments",
                "validateAssignments",
                "expandSchedule",
                "listAssignments",
                "getAssignment",
                *_OF_ASSIGNMENT,
            ),
        ),
        Topic(
            "Batches",
            "Pick assignments for a worker, which is any program, and send its output.",
            ("pickBatch", "listBatches", "getBatch", "getInput", "getBatchOutput", "putOutput", "getCollectSchema"),
        ),
        Topic(
            "Documents",
            "The library: Markdown documents, their versions and their completeness.",
            ("listDocuments", "putDocument", "getDocument", "getCompleteness"),
        ),
        Topic(
            "Figures",
            "Figures, warnings and violations of the Collect desk.",
            ("getCollectStats", "recountCollect", "listViolations"),
        ),
    ),
    answers=(*collect_models.ANSWERS, *library_models.ANSWERS),
    requests=collect_examples.REQUESTS,
    responses=collect_examples.ANSWERS,
    places={
        "assignment_id": ("Id of the assignment.", {"type": "string", "maxLength": 128}, "gdc-17"),
        "batch_name": ("Name of the batch.", {"type": "string", "maxLength": 60}, BATCH_NAME),
        "document_path": ("Path of the document, with slashes. It ends in `.md`.", {"type": "string"}, PATH),
    },
    queries={
        "addAssignments": {"split": _SPLIT},
        "validateAssignments": {"split": _SPLIT},
        "listAssignments": {
            "status": many_parameter("status", "Filter by status.", ASSIGNMENT.states),
            "type": many_parameter("type", "Filter by type.", TYPES),
            "priority": many_parameter("priority", "Filter by priority.", ("1", "2", "3", "4", "5")),
            "batch": query_parameter("batch", "Filter by batch.", {"type": "string"}, BATCH_NAME),
            "cursor": _CURSOR,
        },
        "listBatches": {
            "status": many_parameter("status", "Filter by status.", BATCH.states),
            "cursor": _CURSOR,
        },
        "putOutput": {
            "dry_run": query_parameter(
                "dry_run", "true: the same answer, and nothing is changed.", {"type": "boolean", "default": False}
            )
        },
        "listDocuments": {
            "prefix": query_parameter("prefix", "Filter by the beginning of the path.", {"type": "string"}, "talks/"),
            "status": many_parameter("status", "Filter by completeness.", (INCOMPLETE, PARTIAL, COMPLETE)),
            "cursor": query_parameter("cursor", "The `next_cursor` of the previous page.", {"type": "string"}),
        },
        "getDocument": {
            "version": query_parameter("version", "An older version.", {"type": "integer", "minimum": 1}, 1),
        },
        "listViolations": {
            "cursor": query_parameter("cursor", "The `next_cursor` of the previous page.", text_schema(fields.ID)),
        },
    },
    resources={
        **dict.fromkeys((*_OF_ASSIGNMENT, "getAssignment"), "assignment"),
        **dict.fromkeys(("getBatch", "putOutput"), "batch"),
        **{"getInput": "input", "getBatchOutput": "output", "getCollectSchema": "schema"},
        **dict.fromkeys(("putDocument", "getDocument", "getCompleteness"), "document"),
    },
    conflicts={
        **{name: Forbidden(ASSIGNMENT, name.removesuffix("Assignment"), DONE) for name in _OF_ASSIGNMENT},
        "putOutput": Forbidden(BATCH, "accept", {"status": "timed_out"}),
    },
    wrong_bodies={
        "NewAssignments": _INVALID,
        "AssignmentsToValidate": ApiError(400, "VALIDATION_ERROR", "Send one assignment, or a list of 1 to 1,000.", {}),
        "BatchOutput": ApiError(400, "VALIDATION_ERROR", _REFUSED, {"faults": _FAULTS}),
        "SkipAssignment": '{"reason": ""}',
        "ExpandSchedule": '{"schedule_url": ""}',
        "NewBatch": '{"worker": "somebody"}',
        "PutDocument": "{}",
    },
)
