"""Everything that can go wrong with a run, or with what a user sends, in words.

    VersionMismatch  a user's change was made from another version than the one that is there
    BadPayload       a user's artifact is not of the form it must have
    LeaseLost        another run holds the item, or it has moved on: leave quietly, write nothing
    RunIncomplete    the gate found artifacts missing: make them in the same run
    StepFailed       the step cannot be done; its code, its words for the user, and whether trying again may help

Step Functions knows an error by its class name and its text, so the text of StepFailed is JSON.
"""

import json
from collections.abc import Mapping

from readdo.messages import clip, from_stored, stored_fields

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


class LeaseLost(Exception):
    pass


class VersionMismatch(Exception):
    """A change that was made from another version than the one that is there."""

    def __init__(self, what: str, sent: str, current: int) -> None:
        super().__init__(f"{what}: {sent} sent, {current} found")
        self.what, self.sent, self.current = what, sent, current


class FieldProblem(str):
    """What is wrong with a field, in the API's words; and by which rule, for whoever says it in others."""

    def __new__(cls, words: str, rule: str = "", limit: object = "") -> "FieldProblem":
        made = super().__new__(cls, words)
        made.rule, made.limit = rule, limit
        return made

    rule: str
    limit: object


class BadPayload(Exception):
    """An artifact as a user sent it: field → what is wrong with it."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name} {words}" for name, words in fields.items()))
        self.fields = fields


class RunIncomplete(Exception):
    pass


class StepFailed(Exception):
    """`waits_until`: not a try that failed but one that was not made (its provider is down); it counts for nothing."""

    def __init__(
        self, code: str, message: str, *, retryable: bool | None = None, debug: str = "", waits_until: str = ""
    ) -> None:
        self.code = code
        self.message = clip(message, MESSAGE_MAX)
        self.retryable = RETRYABLE[code] if retryable is None else retryable
        self.debug = debug[:MESSAGE_MAX]
        self.waits_until = waits_until
        told = {"code": code, "message": self.message, "retryable": self.retryable, "debug": self.debug}
        told |= stored_fields(self.message)
        told |= {"waits_until": waits_until} if waits_until else {}
        super().__init__(json.dumps(told, ensure_ascii=False))

    @classmethod
    def told(cls, text: str) -> "StepFailed":
        """From its own text, as it comes back through the workflow."""
        told = json.loads(text)
        more = {"retryable": told["retryable"], "debug": told["debug"], "waits_until": told.get("waits_until", "")}
        return cls(told["code"], from_stored(told["message"], told), **more)
