"""What is asked of the Do desk, checked already."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SOURCES = ("readdo", "cloudcode", "notion", "chat", "n8n", "webhook", "heartbeat", "api")
PRIORITIES = ("P0", "P1", "P2", "P3")
LEASE_SECONDS, TIMEOUT_SECONDS = 120, 300


@dataclass(frozen=True)
class TaskRequest:
    intent: str
    id: str = ""
    title: str = ""
    source: str = "api"
    payload: Mapping[str, Any] = field(default_factory=dict)
    priority: str = "P2"
    project: str = ""
    depends_on: tuple[str, ...] = ()
    due_date: str = ""
    tags: tuple[str, ...] = ()
    timeout_seconds: int = TIMEOUT_SECONDS
    max_retries: int = 0
    hold: bool = False
    of_item: str = ""  # whose todo it was


@dataclass(frozen=True)
class Patience:
    """How long a worker may be silent, and how long it may take."""

    lease_seconds: int
    timeout_seconds: int


@dataclass(frozen=True)
class ClaimRequest:
    worker: str
    intents: tuple[str, ...] = ()
    lease_seconds: int = LEASE_SECONDS
    task: str = ""  # this one, and no other
    patience: Patience | None = None  # for whom the task's own time is not meant: a person

    def patience_with(self, task: Mapping[str, Any]) -> Patience:
        return self.patience or Patience(self.lease_seconds, task["timeout_seconds"])


@dataclass(frozen=True)
class Outcome:
    """How a worker says that its run ended."""

    exit_code: int
    error_kind: str = ""
    summary: str = ""
    error_message: str = ""
    log_url: str = ""
