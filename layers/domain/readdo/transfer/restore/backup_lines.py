"""Models of the lines of a backup. A file may come from anywhere, so every line is validated.

Fields that are not listed are dropped: a new field of an item is restored only if it is added here.
"""

import json
import re
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from readdo.messages import message

_STAMP = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"
ID = r"^[0-7][0-9A-HJKMNP-TV-Z]{25}$"
Id = Annotated[str, StringConstraints(pattern=ID)]
Time = Annotated[str, StringConstraints(pattern=_STAMP)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._~:@=+-]{1,128}$")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z]{1,20}\.[a-z]{2,5}$")]
Word = Annotated[str, StringConstraints(max_length=100)]
Line = Annotated[str, StringConstraints(max_length=2000)]
Path = Annotated[str, StringConstraints(max_length=300)]
Status = Literal[
    "CAPTURED",
    "QUEUED",
    "PROCESSING",
    "READY",
    "SHIPPED",
    "ARCHIVED",
    "FAILED_EXTRACTION",
    "FAILED_AI",
    "FAILED_EXPORT",
]
Form = Literal["png", "md", "caption", "html", "json", "pdf"]


class BackupLine(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Entry(BackupLine):
    at: Time
    by: Word
    what: Word
    to: Word
    run: Id | None = None


class StoredFailure(BackupLine):
    failed_step: Word
    error_code: Word
    message: Annotated[str, StringConstraints(max_length=300)]
    message_key: Word | None = None
    params: dict[str, Any] | None = None
    retryable: bool
    attempts: Count
    last_attempt_at: Time
    debug_message: Annotated[str, StringConstraints(max_length=300)] | None = None


class StoredFile(BackupLine):
    name: Name
    created_at: Time
    bytes: Count
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    path: Path


class StoredExport(BackupLine):
    export_key: Key
    fingerprint: Digest
    created_at: Time
    done_at: Time
    artifact_version: Count
    card_run: Id
    card_version: Count
    card_by: Literal["system", "user"]
    formats: Annotated[list[Form], Field(min_length=1, max_length=6)]
    theme: Literal["LIGHT", "DARK"]
    layout: Literal["CARD_4x5_V1", "CARD_1x1_V1"]
    served_run_id: Id
    run_id: Id
    files: dict[Form, StoredFile]
    renderer: Annotated[dict[Word, Word], Field(max_length=10)]
    version: Count
    history: Annotated[list[Entry], Field(max_length=100)]


class StoredItem(BackupLine):
    id: Id
    status: Status
    version: Annotated[int, Field(ge=1, le=900_000_000)]
    created_at: Time
    intent_text: Annotated[str, StringConstraints(min_length=1, max_length=800)]
    intents: Annotated[list[Annotated[str, StringConstraints(max_length=800)]], Field(max_length=20)] | None = None
    save_count: Count | None = None
    url: Annotated[str, StringConstraints(max_length=2000, pattern=r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#]+")] | None = None
    title: Annotated[str, StringConstraints(max_length=1000)] | None = None
    domain: Annotated[str, StringConstraints(max_length=200)] | None = None
    source_type: Literal["web", "youtube", "newsletter", "other"]
    profile: Literal["engineer", "creator", "manager"]
    language: Annotated[str, StringConstraints(max_length=20)] | None = None
    tags: Annotated[list[Word], Field(max_length=100)] | None = None
    terms: Annotated[list[Word], Field(max_length=100)] | None = None
    attempts: Count
    versions: dict[Literal["extraction", "summary", "score", "todos", "card", "export"], Count]
    edited: dict[Literal["summary", "todos", "card"], Count] | None = None
    run_id: Id | None = None
    served_run_id: Id | None = None
    priority: Literal["READ_NEXT", "WORTH_IT", "IF_TIME", "SKIP"] | None = None
    match_score: Annotated[float, Field(ge=0, le=100, strict=False)] | None = None
    first_reason: Line | None = None
    more_reasons: Count | None = None
    used_tokens: Count | None = None
    archive_reason: Literal["USER_ARCHIVE", "FAILURE_ARCHIVE", "SYSTEM_SKIP"] | None = None
    failure: StoredFailure | None = None
    last_export_failure: StoredFailure | None = None
    page: Digest | None = None
    content: Path | None = None
    history: Annotated[list[Entry], Field(min_length=1, max_length=100_000)]
    exports: Annotated[list[StoredExport], Field(max_length=10_000)]


def _check_size(value: Any, depth: int = 4) -> Any:
    """Accepts what the table can store: numbers in its range, short texts, limited depth."""
    if isinstance(value, bool | None):
        return value
    if isinstance(value, int | float) and (value == 0 or 1e-9 < abs(value) < 1e15):
        return value
    if isinstance(value, str) and len(value) <= 500:
        return value
    if isinstance(value, list | dict) and len(value) <= 50 and depth:
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            _check_size(inner, depth - 1)
            _check_size(name or "empty", 0)
        return value
    raise ValueError


def _check_run_id(meta: dict[str, Any]) -> dict[str, Any]:
    if not re.fullmatch(ID, str(meta.get("run_id", ""))):
        raise ValueError
    return meta


class StoredArtifact(BackupLine):
    item: Id
    artifact_type: Literal["extraction", "summary", "score", "todos", "card"]
    version: Annotated[int, Field(ge=1, le=900_000)]
    created_by: Literal["system", "user"]
    created_at: Time
    meta: Annotated[dict[str, Any], AfterValidator(_check_size), AfterValidator(_check_run_id)]
    payload: dict[str, Any]


class BadBackupLine(Exception):
    """Its message says what is wrong, without any of the line's content."""


def item_of(line: bytes) -> StoredItem:
    return parse_line(StoredItem, line)


def artifact_of(line: bytes) -> StoredArtifact:
    return parse_line(StoredArtifact, line)


Kind = TypeVar("Kind", bound=BackupLine)


def parse_line(kind: type[Kind], line: bytes) -> Kind:
    try:
        value = json.loads(line, parse_constant=_reject_constant)
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate cannot be stored
        return kind.model_validate(value)
    except ValidationError as error:
        first_error = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part)[:40] for part in first_error["loc"])[:120]
        words = message("restore_line.place_wrong", place=place) if place else message("restore_line.wrong_form")
        raise BadBackupLine(words) from None
    except (ValueError, RecursionError) as error:
        raise BadBackupLine(message("restore_line.not_json")) from error


def _reject_constant(_: str) -> None:
    raise ValueError
