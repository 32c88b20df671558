"""What a caller may send to the Do desk."""

import json
import re
from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from readdo import schemas
from readdo.do import evidence, run_outcome, task_requests
from readdo.web.requests import Body, Line, Whole

PAYLOAD_MAX = 64_000  # bytes, as JSON
LEVELS_MAX = 32
NAME = r"^[A-Za-z][A-Za-z0-9_.-]{0,63}$"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")

Source = Literal["readdo", "cloudcode", "notion", "chat", "n8n", "webhook", "heartbeat", "api"]
Priority = Literal["P0", "P1", "P2", "P3"]
ErrorKind = Literal["network", "timeout", "dependency", "execution", "cancelled"]
EvidenceKind = Literal["qa_report", "audit_report", "test_result", "screenshot", "log"]


def _is_a_day(value: str) -> str:
    if value:
        try:
            date.fromisoformat(value if _DATE.fullmatch(value) else "no day")
        except ValueError:
            raise ValueError("must be a day, such as 2026-11-30") from None
    return value


Intent = Annotated[
    str, Field(pattern=NAME, description="What is to be done, by name: runQA, fixBug, write … or yours.")
]
TaskId = Annotated[UUID, Field(strict=False)]


def _each_once(named: list[UUID]) -> list[UUID]:
    return list(dict.fromkeys(named))


Worker = Annotated[str, Field(min_length=1, max_length=120, description="Who takes it, as you will know it."), Line]
Seconds = Annotated[int, Field(ge=1, le=86_400), Whole]


def _levels(payload: dict[str, Any]) -> int:
    found = 0
    within: list[Any] = [payload] if payload else []
    while within and found <= LEVELS_MAX:
        found += 1
        inner = [part for outer in within for part in (outer.values() if isinstance(outer, dict) else outer)]
        within = [part for part in inner if isinstance(part, dict | list) and part]
    return found


def _size(payload: dict[str, Any]) -> int:
    """In bytes, as it is kept: text that can be read again, as anybody's JSON."""
    try:
        return len(json.dumps(payload, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, RecursionError):
        words = "The payload holds what is no JSON: half of a character, a number without end, or too many levels."
        raise PydanticCustomError("payload_no_json", words) from None


class NewTask(Body):
    intent: Intent
    id: Annotated[
        UUID | None, Field(strict=False, description="Names the task: the same id again is the same task.")
    ] = None
    title: Annotated[str, Field(max_length=300, description="For a person, in one line."), Line] = ""
    source: Annotated[Source, Field(description="Where it comes from.")] = "api"
    payload: Annotated[
        dict[str, Any],
        Field(description="What its worker needs to know: an object of up to 64 KB. A known intent has types for it."),
    ] = Field(default_factory=dict)
    priority: Annotated[Priority, Field(description="P0 is taken first.")] = "P2"
    project: Annotated[str, Field(max_length=120, description="What it belongs to."), Line] = ""
    depends_on: Annotated[
        list[TaskId],
        Field(max_length=20, description="Tasks that must be done before this one is."),
        AfterValidator(_each_once),
    ] = Field(default_factory=list)
    due_date: Annotated[str, Field(max_length=10, description="A day."), AfterValidator(_is_a_day)] = ""
    tags: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=40), Line]], Field(max_length=20, description="Yours.")
    ] = Field(default_factory=list)
    timeout_seconds: Annotated[Seconds, Field(description="How long a run may take.")] = task_requests.TIMEOUT_SECONDS
    max_retries: Annotated[
        int, Field(ge=0, le=10, description="How often it is tried again if its run failed by itself."), Whole
    ] = 0
    hold: Annotated[bool, Field(description="true: it rests in the inbox until you enqueue it.")] = False

    @model_validator(mode="after")
    def _fits(self) -> "NewTask":
        if _levels(self.payload) > LEVELS_MAX:
            words = "The payload is nested more than {levels} levels deep. Send a flatter one."
            raise PydanticCustomError("payload_deep", words, {"levels": LEVELS_MAX})
        if _size(self.payload) > PAYLOAD_MAX:
            words = "The payload is larger than {bytes} bytes. Put it somewhere, and send its place."
            raise PydanticCustomError("payload_large", words, {"bytes": f"{PAYLOAD_MAX:,}"})
        for field, wrong in schemas.of_intent(self.intent, self.payload).items():
            words = "The payload of a task {intent} has a form: its {field} {words}."
            raise PydanticCustomError("payload_form", words, {"field": field, "intent": self.intent, "words": wrong})
        if self.id is not None and self.id in self.depends_on:
            raise ValueError("A task cannot depend on itself.")
        return self


class Claim(Body):
    worker: Worker
    intents: Annotated[list[Intent], Field(max_length=10, description="Only these; any, if none is named.")] = Field(
        default_factory=list
    )
    lease_seconds: Annotated[
        int, Field(ge=10, le=3600, description="After so long without a heartbeat the task goes back."), Whole
    ] = task_requests.LEASE_SECONDS
    task: Annotated[UUID | None, Field(strict=False, description="This task, and no other.")] = None


class Complete(Body):
    exit_code: Annotated[int, Field(ge=-255, le=255, description="0: it succeeded."), Whole]
    error_kind: Annotated[
        ErrorKind | None, Field(description="Why it did not; execution, if none is named. It decides on retries.")
    ] = None
    summary: Annotated[str, Field(max_length=4000, description="What was done, for a person.")] = ""
    error_message: Annotated[str, Field(max_length=500, description="What went wrong, for a person.")] = ""
    log_url: Annotated[
        str, Field(max_length=2000, pattern=r"^(https?://[^\s]+)?$", description="Where its log is.")
    ] = ""

    @model_validator(mode="after")
    def _agrees(self) -> "Complete":
        if self.exit_code == 0 and self.error_kind not in (None, run_outcome.CANCELLED):
            raise ValueError("exit_code 0 says that it succeeded, and error_kind that it did not. Send one of them.")
        return self


class NewEvidence(Body):
    type: Annotated[EvidenceKind, Field(description="What it shows.")]
    name: Annotated[str, Field(min_length=1, max_length=120, description="The file's name."), Line]
    bytes: Annotated[int, Field(ge=1, le=evidence.BYTES_MAX, description="Its size."), Whole]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="Its SHA-256, in hexadecimal.")]
    content_type: Annotated[
        str,
        Field(pattern=r"^[a-z]+/[a-z0-9.+-]{1,80}(; ?charset=[A-Za-z0-9-]{1,20})?$", description="What kind of file."),
    ] = "application/octet-stream"


class Block(Body):
    reason: Annotated[str, Field(min_length=1, max_length=500, description="Why it cannot go on."), Line]


class Requeue(Body):
    regardless: Annotated[bool, Field(description="true: whatever it depends on.")] = False


class AcceptTodo(Body):
    version: Annotated[int, Field(ge=1, le=999_999_999, description="Of the todos that you have seen."), Whole]
    priority: Annotated[Priority | None, Field(description="The todo's own, if none is named.")] = None
