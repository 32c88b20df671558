"""Everything that a caller can be told no with: status, code, when, and what its details hold."""

from dataclasses import dataclass
from typing import Any

from readdo.web.body_validation import FIELDS_MAX, PAYLOAD_MAX
from readdo.web.call import BUSY, CONFLICT, INVALID, MISMATCH, NOT_FOUND, REUSED, Call

from .fields import Answer, Version, maybe, told
from .imports import ImportAction
from .items import Action
from .work import WorkAction


class NoDetails(Answer):
    """Nothing more to say."""


class WrongField(Answer):
    """A field, and what is wrong with it."""

    field: str = told("Its name; dots lead into it.")
    message: str = told("What is wrong with it.")


class FieldDetails(Answer):
    """Each field that is wrong, where it is a field's fault."""

    fields: list[WrongField] = maybe("Which, and why.", maxItems=FIELDS_MAX)


class StateDetails(Answer):
    """Where the item stands, and what it allows; empty if that is not the reason."""

    status: str = maybe("The state of the item, the import, the task or the run.")
    available_actions: list[Action | WorkAction | ImportAction] = maybe("What can be done instead.")


class VersionDetails(Answer):
    """What was sent and what is there."""

    sent: str = told("The version that If-Match named.")
    version: Version = told("The version that is there.")


class LogDetails(Answer):
    """Where to look for it."""

    request_id: str = told("Finds it in the log.")


@dataclass(frozen=True)
class Mistake:
    status: int
    code: str
    when: str
    details: type[Answer] = NoDetails

    @property
    def shape(self) -> str:
        """VALIDATION_ERROR → ValidationError"""
        return "".join(word.capitalize() for word in self.code.split("_"))


MISTAKES = (
    Mistake(400, INVALID, "The request is not of the form it must have; `fields` names each field.", FieldDetails),
    Mistake(401, "UNAUTHENTICATED", "No token, or one that is unknown, revoked or past its end."),
    Mistake(403, "FORBIDDEN", "The token may not do this."),
    Mistake(404, NOT_FOUND, "There is no such thing, or it is somebody else's."),
    Mistake(405, "METHOD_NOT_ALLOWED", "The path is known, but not with this method; `Allow` says with which."),
    Mistake(409, BUSY, "Process, export or archive while a run works on the item.", StateDetails),
    Mistake(409, "PROCESS_NOT_ALLOWED", "The item's state does not allow that it is processed.", StateDetails),
    Mistake(409, "EXPORT_NOT_ALLOWED", "The item's state does not allow that it is exported.", StateDetails),
    Mistake(409, "ARCHIVE_NOT_ALLOWED", "The item's state does not allow that it is archived.", StateDetails),
    Mistake(
        409,
        CONFLICT,
        "The item's state does not allow it; or others were changing the same thing: send it again.",
        StateDetails,
    ),
    Mistake(412, MISMATCH, "What is to be changed has changed since it was read.", VersionDetails),
    Mistake(
        413,
        "TOO_LARGE",
        f"The body is larger than 5 MB, an artifact than {PAYLOAD_MAX:,} characters, or a file to import than 100 MB.",
    ),
    Mistake(422, REUSED, "The same key with another request."),
    Mistake(500, "INTERNAL_ERROR", "Our fault; `request_id` finds it in the log.", LogDetails),
)
BY_CODE = {mistake.code: mistake for mistake in MISTAKES}
DETAILS = tuple(dict.fromkeys(mistake.details for mistake in MISTAKES))
# Said alike by every call: described once.
ALIKE = ("UNAUTHENTICATED", "FORBIDDEN", "TOO_LARGE", REUSED, "INTERNAL_ERROR")
_EVERY_CALL = ("INTERNAL_ERROR",)
_WITH_A_TOKEN = ("UNAUTHENTICATED", "FORBIDDEN")


def of_call(call: Call) -> tuple[Mistake, ...]:
    codes = {*call.refuses, *_EVERY_CALL, *(() if call.is_open else _WITH_A_TOKEN)}
    codes |= {"TOO_LARGE"} if call.takes else set()
    return tuple(mistake for mistake in MISTAKES if mistake.code in codes)


def shapes() -> dict[str, dict[str, Any]]:
    words = _error({"enum": [m.code for m in MISTAKES]}, {"type": "object"})
    return {**{m.shape: _shape(m) for m in MISTAKES}, "ErrorWords": words}


def _shape(mistake: Mistake) -> dict[str, Any]:
    details = {"$ref": f"#/components/schemas/{mistake.details.__name__}"}
    inner = _error({"const": mistake.code}, details)
    return {
        "type": "object",
        "description": mistake.when,
        "additionalProperties": False,
        "required": ["error"],
        "properties": {"error": inner},
    }


def _error(code: dict[str, Any], details: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": "What went wrong: for a program, for a person, and what helps to mend it.",
        "additionalProperties": False,
        "required": ["code", "message", "details"],
        "properties": {
            "code": {"type": "string", **code, "description": "For a program."},
            "message": {"type": "string", "minLength": 1, "description": "For a person: what happened, what to do."},
            "details": details,
        },
    }
