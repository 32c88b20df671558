"""Request models of the Do desk."""

import json
import re
from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from readdo import schemas
from readdo.do import evidence, run_outcome, task_requests
from readdo.web.request_body import Body, Line, Whole

PAYLOAD_MAX = 64_000  # bytes, as JSON
LEVELS_MAX = 32
NAME = r"^[A-Za-z][A-Za-z0-9_.-]{0,63}$"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")

Source = Literal["readdo", "cloudcode", "notion", "chat", "n8n", "webhook", "heartbeat", "api"]
Priority = Literal["P0", "P1", "P2", "P3"]
ErrorKind = Literal["network", "timeout", "dependency", "execution", "cancelled"]
EvidenceKind = Literal["qa_report", "audit_report", "test_result", "screenshot", "log"]


def _check_date(value: str) -> str:
    if value:
        try:
            date.fromisoformat(value if _DATE.fullmatch(value) else "no day")
        except ValueError:
            raise ValueError("must be a date such as 2026-11-30") from None
    return value


Intent = Annotated[str, Field(pattern=NAME, description="The type of the task: runQA, fixBug, write … or your own.")]
TaskId = Annotated[UUID, Field(strict=False)]


def _without_duplicates(ids: list[UUID]) -> list[UUID]:
    return list(dict.fromkeys(ids))


Worker = Annotated[str, Field(min_length=1, max_length=120, description="A name for the worker."), Line]
Seconds = Annotated[int, Field(ge=1, le=86_400), Whole]


def _levels(payload: dict[str, Any]) -> int:
    levels = 0
    containers: list[Any] = [payload] if payload else []
    while containers and levels <= LEVELS_MAX:
        levels += 1
        inner = [part for outer in containers for part in (outer.values() if isinstance(outer, dict) else outer)]
        containers = [part for part in inner if isinstance(part, dict | list) and part]
    return levels


def _size(payload: dict[str, Any]) -> int:
    """The size in bytes as strict JSON."""
    try:
        return len(json.dumps(payload, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, RecursionError):
        words = "The payload is not valid JSON: a lone surrogate, an infinite number, or too many levels."
        raise PydanticCustomError("payload_no_json", words) from None


class NewTask(Body):
    intent: Intent
    id: Annotated[
        UUID | None, Field(strict=False, description="The id of the task: the same id returns the same task.")
    ] = None
    title: Annotated[str, Field(max_length=300, description="The title, in one line."), Line] = ""
    source: Annotated[Source, Field(description="The source of the task.")] = "api"
    payload: Annotated[
        dict[str, Any],
        Field(description="Data for the worker: an object of up to 64 KB. Known intents have a schema for it."),
    ] = Field(default_factory=dict)
    priority: Annotated[Priority, Field(description="P0 is claimed first.")] = "P2"
    project: Annotated[str, Field(max_length=120, description="The project."), Line] = ""
    depends_on: Annotated[
        list[TaskId],
        Field(max_length=20, description="Tasks that must be done first."),
        AfterValidator(_without_duplicates),
    ] = Field(default_factory=list)
    due_date: Annotated[str, Field(max_length=10, description="The due date."), AfterValidator(_check_date)] = ""
    tags: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=40), Line]], Field(max_length=20, description="Your tags.")
    ] = Field(default_factory=list)
    timeout_seconds: Annotated[Seconds, Field(description="Time limit of a run.")] = task_requests.TIMEOUT_SECONDS
    max_retries: Annotated[int, Field(ge=0, le=10, description="Automatic retries after a failed run."), Whole] = 0
    hold: Annotated[bool, Field(description="true: the task stays in the inbox until you queue it.")] = False

    @model_validator(mode="after")
    def _check_payload(self) -> "NewTask":
        if _levels(self.payload) > LEVELS_MAX:
            words = "The payload is nested more than {levels} levels deep. Reduce the levels."
            raise PydanticCustomError("payload_deep", words, {"levels": LEVELS_MAX})
        if _size(self.payload) > PAYLOAD_MAX:
            words = "The payload is larger than {bytes} bytes. Store it elsewhere and send its address."
            raise PydanticCustomError("payload_large", words, {"bytes": f"{PAYLOAD_MAX:,}"})
        for field, problem in schemas.payload_problems(self.intent, self.payload).items():
            words = "The payload does not match the schema of {intent}: {field} {words}."
            raise PydanticCustomError("payload_form", words, {"field": field, "intent": self.intent, "words": problem})
        if self.id is not None and self.id in self.depends_on:
            raise ValueError("A task cannot depend on itself.")
        return self


class Claim(Body):
    worker: Worker
    intents: Annotated[
        list[Intent], Field(max_length=10, description="Only tasks of these types; any type if empty.")
    ] = Field(default_factory=list)
    lease_seconds: Annotated[
        int, Field(ge=10, le=3600, description="The task is returned after this time without a heartbeat."), Whole
    ] = task_requests.LEASE_SECONDS
    task: Annotated[UUID | None, Field(strict=False, description="Claim only this task.")] = None


class Complete(Body):
    exit_code: Annotated[int, Field(ge=-255, le=255, description="0: success."), Whole]
    error_kind: Annotated[
        ErrorKind | None, Field(description="The kind of error, which decides about retries; execution if empty.")
    ] = None
    summary: Annotated[str, Field(max_length=4000, description="A summary of the result.")] = ""
    error_message: Annotated[str, Field(max_length=500, description="What went wrong.")] = ""
    log_url: Annotated[
        str, Field(max_length=2000, pattern=r"^(https?://[^\s]+)?$", description="The URL of the log.")
    ] = ""

    @model_validator(mode="after")
    def _check_error_kind(self) -> "Complete":
        if self.exit_code == 0 and self.error_kind not in (None, run_outcome.CANCELLED):
            raise ValueError("exit_code 0 means success, so error_kind is not allowed. Send only one of them.")
        return self


class NewEvidence(Body):
    type: Annotated[EvidenceKind, Field(description="The kind of evidence.")]
    name: Annotated[str, Field(min_length=1, max_length=120, description="The name of the file."), Line]
    bytes: Annotated[int, Field(ge=1, le=evidence.BYTES_MAX, description="Its size in bytes."), Whole]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="Its SHA-256 in hexadecimal.")]
    content_type: Annotated[
        str,
        Field(pattern=r"^[a-z]+/[a-z0-9.+-]{1,80}(; ?charset=[A-Za-z0-9-]{1,20})?$", description="Its media type."),
    ] = "application/octet-stream"


class Block(Body):
    reason: Annotated[str, Field(min_length=1, max_length=500, description="Why the task is blocked."), Line]


class Requeue(Body):
    regardless: Annotated[bool, Field(description="true: ignore its dependencies.")] = False


class AcceptTodo(Body):
    version: Annotated[int, Field(ge=1, le=999_999_999, description="The version of the todos that you read."), Whole]
    priority: Annotated[Priority | None, Field(description="The priority; that of the todo if empty.")] = None
