"""Types of the rows of the Read desk."""

from typing import Any, NotRequired, TypedDict

from readdo.files import StoredJson
from readdo.messages import MessageFields
from readdo.store.keys import FileFields, HistoryEntry, MaybeDue, StatusFields


class Failure(MessageFields):
    """The failure of a step or of an export."""

    failed_step: str
    error_code: str
    message: str
    retryable: bool
    attempts: int
    last_attempt_at: str
    next_retry_at: NotRequired[str]
    debug_message: NotRequired[str]


class ListedItem(TypedDict):
    """An item as the inbox index has it: without the fields that every step changes."""

    pk: NotRequired[str]
    sk: NotRequired[str]
    id: str
    status: str
    created_at: str
    intent_text: str
    source_type: str
    url: NotRequired[str]
    title: NotRequired[str]
    domain: NotRequired[str]
    priority: NotRequired[str]
    match_score: NotRequired[float]
    first_reason: NotRequired[str]
    more_reasons: NotRequired[int]
    archive_reason: NotRequired[str]
    failure: NotRequired[Failure]


class OptionalItemFields(TypedDict, total=False):
    """Fields that a capture may leave out."""

    url: str
    title: str
    domain: str
    language: str
    tags: list[str]


class NewItem(OptionalItemFields, MaybeDue):
    """An item as it is captured."""

    id: str
    owner: str
    created_at: str
    intent_text: str
    source_type: str
    profile: str
    content_ref: NotRequired[str]
    page: NotRequired[str]
    made: dict[str, int]  # artifact type → its version in this run
    versions: dict[str, int]  # artifact type or `export` → the last number
    lease_epoch: int
    attempts: int
    reclaims: int
    inbox: str


class ItemRow(NewItem, StatusFields):
    """An item that is not deleted."""

    history: list[HistoryEntry]
    folded: NotRequired[int]
    intents: NotRequired[list[str]]
    save_count: NotRequired[int]
    run_id: NotRequired[str]
    starts: NotRequired[int]
    timeouts: NotRequired[int]
    lease_owner: NotRequired[str]
    lease_expires_at: NotRequired[str]
    started_at: NotRequired[str]
    used_tokens: NotRequired[int]
    terms: NotRequired[list[str]]
    served_run_id: NotRequired[str]
    priority: NotRequired[str]
    match_score: NotRequired[float]
    first_reason: NotRequired[str]
    more_reasons: NotRequired[int]
    edited: NotRequired[dict[str, int]]  # artifact type → the version of the user that is shown
    tasks: NotRequired[list[str]]
    archive_reason: NotRequired[str]
    failure: NotRequired[Failure]
    last_export_failure: NotRequired[Failure]


class ItemTombstone(MaybeDue):
    """A deleted item."""

    id: str
    owner: str
    deleted_at: str
    swept_at: NotRequired[str]
    last_write: str


class ArtifactRow(StoredJson):
    type: str
    version: int
    created_by: str
    created_at: str
    meta: dict[str, Any]


class ExportFile(FileFields):
    name: str
    created_at: str


class ExportStart(MaybeDue):
    """Fields that every start of an export by a user writes."""

    epoch: int
    restarts: int
    run_id: str


class NewExport(ExportStart):
    owner: str
    item: str
    export_key: str
    key_digest: str
    fingerprint: str
    created_at: str
    artifact_version: int
    card_run: str
    card_version: int
    card_by: str
    formats: list[str]
    theme: str
    layout: str
    served_run_id: str
    files: dict[str, ExportFile]  # by format
    attempts: int


class ExportRow(NewExport, StatusFields):
    history: list[HistoryEntry]
    renderer: NotRequired[dict[str, str]]
    done_at: NotRequired[str]
    failure: NotRequired[Failure]
