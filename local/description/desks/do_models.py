"""Response models of tasks, runs and the health of the Do desk."""

from typing import Any, Literal

from pydantic import Field

from readdo.do import actions, health
from readdo.do.requests import EvidenceKind, Priority, Source
from readdo.do.run_outcome import ERROR_KINDS
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK

from ..fields import (
    MESSAGE_KEY,
    MESSAGE_PARAMS,
    NEXT_CURSOR,
    STATUS_WORDS,
    Answer,
    Count,
    Explained,
    Id,
    Time,
    Uuid,
    Version,
    one_of,
    optional,
    required,
)
from ..items import Item, Reference

_MIRRORED = one_of(("off", "on", "trouble"))
_TASK_STATUS, _RUN_STATUS = one_of(TASK.states), one_of(RUN.states)
_REASONS = (
    *("dependency", "dependency_cancelled", "retry", "failed"),
    *("handed_back", "lease_expired", "stopped", "on_request"),
)
_NAMES = {actions.CLAIM, *(name for name, _ in (*actions.OF_TASK.values(), *actions.OF_RUN.values()))}


class WorkAction(Answer):
    """An action that is available for a task or a run now, with its call."""

    action: str = required("Name of the action.", **one_of(sorted(_NAMES)))
    method: Literal["POST"] = required("HTTP method of the call.")
    path: str = required("Path of the call.")
    body: dict[str, Any] = optional("Fields of the body. Add the other fields that the call requires.")


class Task(Answer):
    """A task."""

    id: Uuid = required("Unique identifier; your own if you sent one.")
    status: str = required(STATUS_WORDS, **_TASK_STATUS)
    version: Version = required("Version number. Increases with every change.")
    source: Source = required("The program that added the task.")
    intent: str = required("Type of the task.")
    title: str = optional("Title, for users.")
    payload: dict[str, Any] = optional("Input for the worker. Not included in lists.")
    priority: Priority = required("Priority. P0 is claimed first.")
    project: str = optional("Project of the task.")
    depends_on: list[Uuid] = optional("Tasks that must be done first.")
    due_date: str = optional("Due date, such as 2026-11-30.")
    tags: list[str] = optional("Your tags.")
    timeout_seconds: Version = required("Time limit of a run in seconds.")
    max_retries: Count = optional("Automatic retries after a failed run.")
    created_at: Time = required("Time of creation.")
    updated_at: Time = required("Time of the last change.")
    started_at: Time = optional("Time of the first claim.")
    completed_at: Time = optional("Time when the task was done or cancelled.")
    attempts: Count = required("Number of runs.")
    run_id: Id = optional("The newest run.")
    worker: str = optional("The worker that claimed it last.")
    blocked_reason: str = optional("Why the task is blocked, for programs.", **one_of(_REASONS))
    blocked_message: str = optional("Why the task is blocked, for users.")
    blocked_message_key: str = optional(MESSAGE_KEY)
    blocked_params: dict[str, Any] = optional(MESSAGE_PARAMS)
    next_try_at: Time = optional("Time of the next automatic retry. Missing if the task waits for you.")
    of_item: Id = optional("The item of the todo that became this task.")


class Run(Answer):
    """A run of a task, or of the pipeline of an item."""

    id: Id = required("Unique identifier. Sorts by time of creation.")
    status: str = required(STATUS_WORDS, **_RUN_STATUS)
    version: Version = required("Version number. Increases with every change.")
    task_id: Uuid = optional("The task. Missing for a pipeline run.")
    item_id: Id = optional("The item. Only for a pipeline run.")
    job_id: Id = optional("The proof job. Only for a run of one.")
    intent: str = required("Type of the task; `pipeline` for a pipeline run.")
    attempt: Version = required("Number of the attempt.")
    worker: str = optional("The worker.")
    created_at: Time = required("Time of creation.")
    started_at: Time = optional("Time when the run started.")
    completed_at: Time = optional("Time when the run ended.")
    duration_seconds: Count = optional("Duration in seconds.")
    timeout_seconds: Version = optional("Time limit in seconds.")
    lease_expires_at: Time = optional("Time when the lease expires, unless the worker sends a heartbeat.")
    times_out_at: Time = optional("Time when the run times out.")
    exit_code: int = optional("Exit code, as the worker reported it.")
    error_kind: str = optional("Kind of the error.", **one_of(ERROR_KINDS))
    error_message: str = optional("What went wrong, for users.")
    error_message_key: str = optional(MESSAGE_KEY)
    error_params: dict[str, Any] = optional(MESSAGE_PARAMS)
    summary: str = optional("Summary of the result, for users.")
    log_url: str = optional("URL of the log.")


class Evidence(Answer):
    """A file of evidence for the result of a run."""

    number: Version = required("Number within the run.")
    type: EvidenceKind = required("Kind of evidence.")
    name: str = required("Name of the file.")
    content_type: str = required("Media type of the file.")
    bytes: Version = required("Size in bytes.")
    sha256: str = required("SHA-256 in hexadecimal.", pattern="^[0-9a-f]{64}$")
    created_at: Time = required("Time when the file was announced.")
    stored: bool = required("Whether the file was uploaded.")


class Upload(Answer):
    """A request that uploads a file."""

    method: Literal["PUT"] = required("HTTP method of the request.")
    url: str = required("URL for the file. It is valid for 15 minutes and accepts only the announced bytes.")
    headers: dict[str, str] = required("Required headers of the request.")


class TaskMove(Answer):
    """A state change of a task."""

    at: Time = required("Time of the change.")
    by: str = required("Who made the change: user, worker, gateway, or system: with the component.")
    trigger: str = required("Trigger in docs/lifecycles.md.", **one_of(TASK.triggers))
    before: str | None = Field(alias="from", description="State before the change; null for the first.")
    to: str = required("State after the change.", **_TASK_STATUS)
    run_id: Id | None = required("The run that made the change, if any.")


class TasksOfItem(Answer):
    """The tasks created from the todos of an item, with counts."""

    total: Count = required("Number of tasks.")
    done: Count = required("Tasks that are done.")
    cancelled: Count = required("Tasks that were cancelled.")
    open: Count = required("All other tasks.")
    all_done: bool = required("true: no task is open, and the item can be archived.")
    tasks: list[Task] = required("Tasks, in the order of acceptance.")


class TaskAnswer(Answer):
    """The task after the call."""

    task: Task | Reference = required("The task.")


class AcceptAnswer(Answer):
    """A todo that became a task."""

    task: Task = required("The task.")
    item: Item = required("The item of the todo.")


class TasksAnswer(Answer):
    """A page of tasks."""

    tasks: list[Task] = required("Tasks, P0 first, then the oldest.", maxItems=100)
    next_cursor: str | None = required(NEXT_CURSOR)


class WholeTaskAnswer(Answer):
    """A task with its runs, available actions and history."""

    task: Task = required("The task, with its payload.")
    runs: list[Run] = required("Runs of the task, newest first.")
    available_actions: list[WorkAction] = required("Actions that are available now.")
    history: list[TaskMove] = required("All state changes, oldest first.")


class ClaimAnswer(Answer):
    """A claimed task and its run."""

    task: Task = required("The task, with its payload.")
    run: Run = required("Your run of the task.")


class RunAnswer(Answer):
    """The run after the call."""

    run: Run | Reference = required("The run.")


class DoneAnswer(Answer):
    """A completed run and its task."""

    task: Task | Reference = required("The task after the call.")
    run: Run | Reference = required("The run.")


class RunsAnswer(Answer):
    """A page of runs."""

    runs: list[Run] = required("Runs, newest first.", maxItems=100)
    next_cursor: str | None = required(NEXT_CURSOR)


class WholeRunAnswer(Answer):
    """A run with its evidence."""

    run: Run = required("The run.")
    evidence: list[Evidence] = required("Files of evidence, in the order of announcement.")
    available_actions: list[WorkAction] = required("Actions that are available to the worker now.")


class EvidenceAnswer(Answer):
    """An announced file and its upload URL."""

    evidence: Evidence = required("The file.")
    upload: Upload = required("The request that uploads the file.")


class HealthFigure(Answer):
    """A figure of the health, with its limits."""

    value: float | None = required("Current value; null without data.")
    status: str = required("Status of the figure.", **one_of((*health.WORST_FIRST, health.NO_DATA)))
    limits: dict[str, float] = required(
        "Limits of the statuses `ok` and `degraded`. A figure without `degraded` is only a warning."
    )
    decides: bool = required("true: the figure decides the health. false: the figure is only a warning.")


class NotionMirror(Explained):
    """The status of the Notion mirror."""

    status: str = required("off: not configured. on: updates succeed. trouble: the last update failed.", **_MIRRORED)
    code: str = optional("Error code, for programs.")
    message: str = optional("What is wrong and what to do, for users.")
    next_try_at: Time = optional("Time of the next automatic retry.")


class HealthAnswer(Answer):
    """The health of the Do desk: the worst status of the deciding figures."""

    health: str = required("Overall health.", **one_of(health.WORST_FIRST))
    figures: dict[str, HealthFigure] = required("Figures by name.")
    queueLength: Count = required("Tasks that are waiting.")  # noqa: N815 - the name that clients expect
    stats: dict[str, Count] = required("Open tasks by state, and runs of the last day by result.")
    lastRun: Run | None = required("The newest run of a task; null if there is none.")  # noqa: N815
    lastHeartbeat: Time | None = required("Time of the last heartbeat of the system.")  # noqa: N815
    lastSyncNotion: Time | None = required("Time of the last update of Notion; null if there was none.")  # noqa: N815
    notion: NotionMirror = required("The mirror of tasks, runs and health in Notion.")


class MetricsHour(Answer):
    """Results of the runs of an hour."""

    hour: Time = required("Start of the hour.")
    succeeded: Count = required("Runs that succeeded.")
    failed: Count = required("Runs that failed.")
    timeout: Count = required("Runs that timed out.")
    cancelled: Count = required("Runs that were cancelled.")
    mean_duration: float | None = required("Mean duration of all ended runs, in seconds.")


class MetricsAnswer(Answer):
    """Results of the runs of the last week."""

    hours: list[MetricsHour] = required("Hours, oldest first.", minItems=168, maxItems=168)


class RecountAnswer(Answer):
    """The result of a recount."""

    counted: dict[str, Count] = required("Open tasks by state.")
    drift: dict[str, int] = required(
        "Wrong counters by state: the old value minus the correct one. They are corrected now."
    )


ANSWERS = (
    *(TaskAnswer, TasksAnswer, WholeTaskAnswer, ClaimAnswer, AcceptAnswer),
    *(RunAnswer, DoneAnswer, RunsAnswer, WholeRunAnswer, EvidenceAnswer),
    *(HealthAnswer, MetricsAnswer, RecountAnswer),
)
