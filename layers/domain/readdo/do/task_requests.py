"""Validated requests of the Do desk."""

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
    of_item: str = ""  # the item whose todo became this task


@dataclass(frozen=True)
class Patience:
    """The lease and the timeout of a run."""

    lease_seconds: int
    timeout_seconds: int


@dataclass(frozen=True)
class ClaimRequest:
    worker: str
    intents: tuple[str, ...] = ()
    lease_seconds: int = LEASE_SECONDS
    task: str = ""  # id of a task to claim; empty: the next one
    patience: Patience | None = None  # for a claim by a user, to whom the task's timeout does not apply


@dataclass(frozen=True)
class Outcome:
    """The result of a run, as the worker reports it."""

    exit_code: int
    error_kind: str = ""
    summary: str = ""
    error_message: str = ""
    log_url: str = ""
