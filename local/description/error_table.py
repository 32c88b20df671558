"""API errors: status, code, cause and the model of their details."""

from dataclasses import dataclass
from typing import Any

from readdo.collect.assignment_creation import ID_TAKEN
from readdo.proof.endpoints import FAILED_CHUNKS, INCOMPLETE, NOT_UPLOADED
from readdo.web.call_spec import BUSY, CONFLICT, INVALID, MISMATCH, NOT_FOUND, REUSED, Call
from readdo.web.request_body import FIELDS_MAX, PAYLOAD_MAX

from .desks.collect_models import AssignmentAction, CheckedAssignment, OutputFault
from .desks.do_models import WorkAction
from .desks.proof_models import ChunkCounts, JobAction
from .fields import Answer, Count, optional, required
from .imports import ImportAction
from .items import Action


class NoDetails(Answer):
    """Empty details."""


class WrongField(Answer):
    """An invalid field."""

    field: str = required("Name of the field; a nested field with dots.")
    message: str = required("What is wrong with the field.")


class FieldDetails(Answer):
    """The invalid fields. Empty if the error is not about a field."""

    fields: list[WrongField] = optional("Invalid fields.", maxItems=FIELDS_MAX)
    results: list[CheckedAssignment] = optional("What is wrong with each assignment, in the order sent.")
    faults: list[OutputFault] = optional("Every fault of the output of a batch.")


class StateDetails(Answer):
    """The current state and its available actions. Empty if the state is not the reason."""

    status: str = optional("Status of the item, import, task, run, webhook, assignment or batch.")
    state: str = optional("State of the proof job.")
    phase: str = optional("Phase of the proof job.")
    counts: ChunkCounts = optional("Chunks of the proof job by state.")
    available_actions: list[Action | WorkAction | ImportAction | JobAction | AssignmentAction] = optional(
        "Actions that are available now."
    )


class VersionDetails(Answer):
    """The version that was sent and the current one."""

    sent: str = required("The version that you sent.")
    version: Count = required("The current version; 0 if a document does not exist.")


class LogDetails(Answer):
    """The id for the search in the log."""

    request_id: str = required("Id of the request, for the search in the log.")


@dataclass(frozen=True)
class ErrorRow:
    status: int
    code: str
    when: str
    details: type[Answer] = NoDetails

    @property
    def shape(self) -> str:
        """VALIDATION_ERROR → ValidationError"""
        return "".join(word.capitalize() for word in self.code.split("_"))


ERRORS = (
    ErrorRow(400, INVALID, "The request is not valid. `fields` names each invalid field.", FieldDetails),
    ErrorRow(401, "UNAUTHENTICATED", "The token is missing, unknown, revoked or expired."),
    ErrorRow(403, "FORBIDDEN", "The token lacks the required scope."),
    ErrorRow(404, NOT_FOUND, "The resource does not exist, or another user has it."),
    ErrorRow(405, "METHOD_NOT_ALLOWED", "The path does not support this method. `Allow` lists the supported methods."),
    ErrorRow(409, BUSY, "The item cannot be processed, exported or archived while a run is in progress.", StateDetails),
    ErrorRow(409, "PROCESS_NOT_ALLOWED", "The item cannot be processed in its current state.", StateDetails),
    ErrorRow(409, "EXPORT_NOT_ALLOWED", "The item cannot be exported in its current state.", StateDetails),
    ErrorRow(409, "ARCHIVE_NOT_ALLOWED", "The item cannot be archived in its current state.", StateDetails),
    ErrorRow(
        409,
        CONFLICT,
        "The current state does not allow the request, or another request changed the same resource: send it again.",
        StateDetails,
    ),
    ErrorRow(409, ID_TAKEN, "The id of the assignment belongs to another one."),
    ErrorRow(409, NOT_UPLOADED, "The text of the proof job is not uploaded yet.", StateDetails),
    ErrorRow(409, INCOMPLETE, "Not all chunks of the proof job are done.", StateDetails),
    ErrorRow(409, FAILED_CHUNKS, "Chunks of the proof job failed. Retry them first.", StateDetails),
    ErrorRow(412, MISMATCH, "The resource changed after you read it.", VersionDetails),
    ErrorRow(
        413,
        "TOO_LARGE",
        f"The body is larger than 5 MB, an artifact than {PAYLOAD_MAX:,} characters, a document than 1 MB, an import "
        "than 100 MB, or a text than 200 MB.",
    ),
    ErrorRow(422, REUSED, "The Idempotency-Key was used for a different request."),
    ErrorRow(500, "INTERNAL_ERROR", "An unexpected error. Search the log for `request_id`.", LogDetails),
)
BY_CODE = {error.code: error for error in ERRORS}
DETAILS = tuple(dict.fromkeys(error.details for error in ERRORS))
# The same for every call, so they are described once.
ALIKE = ("UNAUTHENTICATED", "FORBIDDEN", "TOO_LARGE", REUSED, "INTERNAL_ERROR")
_EVERY_CALL = ("INTERNAL_ERROR",)
_WITH_A_TOKEN = ("UNAUTHENTICATED", "FORBIDDEN")


def of_call(call: Call) -> tuple[ErrorRow, ...]:
    codes = {*call.refuses, *_EVERY_CALL, *(() if call.is_open else _WITH_A_TOKEN)}
    codes |= {"TOO_LARGE"} if call.takes else set()
    return tuple(error for error in ERRORS if error.code in codes)


def shapes() -> dict[str, dict[str, Any]]:
    words = _error({"enum": [m.code for m in ERRORS]}, {"type": "object"})
    return {**{m.shape: _shape(m) for m in ERRORS}, "ErrorWords": words}


def _shape(error: ErrorRow) -> dict[str, Any]:
    details = {"$ref": f"#/components/schemas/{error.details.__name__}"}
    inner = _error({"const": error.code}, details)
    return {
        "type": "object",
        "description": error.when,
        "additionalProperties": False,
        "required": ["error"],
        "properties": {"error": inner},
    }


def _error(code: dict[str, Any], details: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": "What went wrong: a code for programs, a message for users, and details.",
        "additionalProperties": False,
        "required": ["code", "message", "details"],
        "properties": {
            "code": {"type": "string", **code, "description": "Error code, for programs."},
            "message": {"type": "string", "minLength": 1, "description": "What happened and what to do, for users."},
            "details": details,
        },
    }
