"""Types of the rows of the Do desk."""

from typing import Any, NotRequired, TypedDict

from readdo.files import StoredJson
from readdo.store.keys import HistoryEntry, MaybeDue, StatusFields


class KeptFields(TypedDict, total=False):
    """The retention of a row that has ended."""

    kept_until: str
    expires: int


class TaskPlace(TypedDict):
    """The attributes of the indexes. A task in the queue has all three."""

    inbox: str
    queue: NotRequired[str]
    queue_at: NotRequired[str]


class OptionalTaskFields(TypedDict, total=False):
    """Fields that a request may leave out."""

    title: str
    project: str
    due_date: str
    max_retries: int
    of_item: str
    depends_on: list[str]
    tags: list[str]


class TaskFields(OptionalTaskFields, StoredJson, MaybeDue):
    """A task as it is requested, without its place in the indexes."""

    id: str
    owner: str
    created_at: str
    source: str
    intent: str
    priority: str
    timeout_seconds: int
    attempts: int
    tries: dict[str, int]  # kind of error → retries
    runs: list[str]


class PlacedTask(TaskFields, TaskPlace):
    pass


class TaskRow(PlacedTask, StatusFields, KeptFields):
    history: list[HistoryEntry]
    run_id: NotRequired[str]
    worker: NotRequired[str]
    started_at: NotRequired[str]
    completed_at: NotRequired[str]
    regardless: NotRequired[bool]
    blocked_reason: NotRequired[str]
    blocked_message: NotRequired[str]
    blocked_message_key: NotRequired[str]
    blocked_params: NotRequired[dict[str, Any]]


class NewRun(MaybeDue):
    id: str
    owner: str
    task_id: str
    intent: str
    attempt: int
    worker: str
    created_at: str
    lease_seconds: int
    lease_expires_at: str
    timeout_seconds: int
    evidence: int


class RunRow(NewRun, StatusFields, KeptFields):
    """A run of a task."""

    history: list[HistoryEntry]
    started_at: NotRequired[str]
    times_out_at: NotRequired[str]
    completed_at: NotRequired[str]
    duration_seconds: NotRequired[int]
    exit_code: NotRequired[int]
    outcome: NotRequired[str]
    summary: NotRequired[str]
    log_url: NotRequired[str]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]
    error_message_key: NotRequired[str]
    error_params: NotRequired[dict[str, Any]]


class PipelineRunRow(KeptFields):
    """A run of an item's pipeline. It is among the runs of tasks, and never changes."""

    id: str
    owner: str
    item_id: str
    created_at: str


class EvidenceRow(TypedDict):
    type: str
    name: str
    bytes: int
    sha256: str
    content_type: str
    number: int
    created_at: str
    at: str
