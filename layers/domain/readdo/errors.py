"""Errors of requests, of runs, and of the artifacts that a user sends.

    Rejected         a request that the stored data does not allow; with the API's code and a message in all languages
    VersionMismatch  a user's change is based on another version than the current one
    BadPayload       a user's artifact does not match its schema
    LeaseLost        another run holds the item, or the item has changed state: end without writing
    RunIncomplete    the gate found that artifacts are missing: create them in the same run
    StepFailed       the step failed; with a code, a message for the user, and whether a retry may help

Step Functions passes on only the class name and the text of an error, so the text of StepFailed is JSON.
"""

import json
from collections.abc import Mapping

from readdo.messages import clip, from_stored, message, stored_fields

MESSAGE_MAX = 300
RETRYABLE = {
    "EXTRACTION_FETCH_FAILED": True,
    "EXTRACTION_PARSE_FAILED": False,
    "AI_TIMEOUT": True,
    "AI_RATE_LIMITED": True,
    "AI_PROVIDER_ERROR": True,
    "AI_SCHEMA_INVALID": True,
    "AI_PARSE_ERROR": True,
    "AI_BUDGET_EXCEEDED": False,
    "TEMPLATE_MISSING": False,
    "RUN_INCONSISTENT": True,
    "EXPORT_RENDER_FAILED": True,
    "EXPORT_WRITE_FAILED": True,
    "LEASE_EXPIRED": False,
}


class Rejected(Exception):
    """A request that the stored data does not allow. Its text is a message in all languages."""

    key: str  # of the message
    code = "STATE_CONFLICT"  # of the API
    field = ""  # of the request, if one is the cause

    def __init__(self, **params: object) -> None:
        self.text = message(self.key, **params)
        super().__init__(self.text)


class BadCursor(Rejected):
    key, code, field = "rejected.cursor", "VALIDATION_ERROR", "cursor"


class LeaseLost(Exception):
    pass


class VersionMismatch(Exception):
    """A change that is based on another version than the current one."""

    def __init__(self, what: str, sent: str, current: int) -> None:
        super().__init__(f"{what}: {sent} sent, {current} found")
        self.what, self.sent, self.current = what, sent, current


class FieldProblem(str):
    """The API's text for an invalid field, with the rule that failed, so that the page can translate it."""

    def __new__(cls, words: str, rule: str = "", limit: object = "") -> "FieldProblem":
        problem = super().__new__(cls, words)
        problem.rule, problem.limit = rule, limit
        return problem

    rule: str
    limit: object


class BadPayload(Exception):
    """An invalid artifact from a user. `fields` maps each invalid field to its problem."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name} {words}" for name, words in fields.items()))
        self.fields = fields


class RunIncomplete(Exception):
    pass


class StepFailed(Exception):
    """A failed step. `waits_until`: nothing was tried (the provider is down), so no retry is counted."""

    def __init__(
        self, code: str, message: str, *, retryable: bool | None = None, debug: str = "", waits_until: str = ""
    ) -> None:
        self.code = code
        self.message = clip(message, MESSAGE_MAX)
        self.retryable = RETRYABLE[code] if retryable is None else retryable
        self.debug = debug[:MESSAGE_MAX]
        self.waits_until = waits_until
        fields = {"code": code, "message": self.message, "retryable": self.retryable, "debug": self.debug}
        fields |= stored_fields(self.message)
        fields |= {"waits_until": waits_until} if waits_until else {}
        super().__init__(json.dumps(fields, ensure_ascii=False))

    @classmethod
    def parse(cls, text: str) -> "StepFailed":
        """Parse the text of a StepFailed that the workflow has passed on."""
        fields = json.loads(text)
        more = {
            "retryable": fields["retryable"],
            "debug": fields["debug"],
            "waits_until": fields.get("waits_until", ""),
        }
        return cls(fields["code"], from_stored(fields["message"], fields), **more)
