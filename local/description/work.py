"""Tasks, runs and the desk's health, as they are answered."""

from typing import Any, Literal

from pydantic import Field

from readdo.do import actions, health
from readdo.do.run_outcome import ERROR_KINDS
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.web.do_requests import EvidenceKind, Priority, Source

from .fields import MESSAGE_KEY, MESSAGE_PARAMS, Answer, Count, Explained, Id, Time, Uuid, Version, maybe, one_of, told
from .items import Item, Reference

_MIRRORED = one_of(("off", "on", "trouble"))
_TASK_STATUS, _RUN_STATUS = one_of(TASK.states), one_of(RUN.states)
_REASONS = (
    *("dependency", "dependency_cancelled", "retry", "failed"),
    *("handed_back", "lease_expired", "stopped", "on_request"),
)
_NAMES = {actions.CLAIM, *(name for name, _ in (*actions.OF_TASK.values(), *actions.OF_RUN.values()))}


class WorkAction(Answer):
    """Something that can be done now with a task or a run, as the call that does it."""

    action: str = told("What it is called.", **one_of(sorted(_NAMES)))
    method: Literal["POST"] = told("The call's method.")
    path: str = told("The call's path.")
    body: dict[str, Any] = maybe("What the body must say; what else the call takes must be added.")


class Task(Answer):
    """Something to be done."""

    id: Uuid = told("Its name: yours, if you gave one.")
    status: str = told("Where it stands; docs/lifecycles.md says what may follow.", **_TASK_STATUS)
    version: Version = told("Changes with every change.")
    source: Source = told("Where it comes from.")
    intent: str = told("What is to be done, by name.")
    title: str = maybe("For a person.")
    payload: dict[str, Any] = maybe("What its worker needs to know; not in lists.")
    priority: Priority = told("P0 is taken first.")
    project: str = maybe("What it belongs to.")
    depends_on: list[Uuid] = maybe("Tasks that must be done before.")
    due_date: str = maybe("A day.")
    tags: list[str] = maybe("Yours.")
    timeout_seconds: Version = told("How long a run may take.")
    max_retries: Count = maybe("How often it is tried again if its run failed by itself.")
    created_at: Time = told("When it came.")
    updated_at: Time = told("When it changed last.")
    started_at: Time = maybe("When it was first taken.")
    completed_at: Time = maybe("When it was done or cancelled.")
    attempts: Count = told("How many runs it had.")
    run_id: Id = maybe("Its newest run.")
    worker: str = maybe("Who took it last.")
    blocked_reason: str = maybe("Why it is blocked, for a program.", **one_of(_REASONS))
    blocked_message: str = maybe("Why it is blocked, for a person.")
    blocked_message_key: str = maybe(MESSAGE_KEY)
    blocked_params: dict[str, Any] = maybe(MESSAGE_PARAMS)
    next_try_at: Time = maybe("When it goes on by itself; missing if it waits for you.")
    of_item: Id = maybe("The item whose todo it was.")


class Run(Answer):
    """One try at a task, or a run of an item's pipeline."""

    id: Id = told("Sorts by time.")
    status: str = told("Where it stands.", **_RUN_STATUS)
    version: Version = told("Changes with every change.")
    task_id: Uuid = maybe("Its task; a pipeline's run has none.")
    item_id: Id = maybe("Its item, if it is a pipeline's.")
    intent: str = told("What is done; `pipeline` for an item's.")
    attempt: Version = told("Which try it is.")
    worker: str = maybe("Who does it.")
    created_at: Time = told("When it was taken.")
    started_at: Time = maybe("When it began.")
    completed_at: Time = maybe("When it ended.")
    duration_seconds: Count = maybe("How long it took.")
    timeout_seconds: Version = maybe("How long it may take.")
    lease_expires_at: Time = maybe("Until when its worker must have been heard of.")
    times_out_at: Time = maybe("When its time is over.")
    exit_code: int = maybe("As its worker says.")
    error_kind: str = maybe("Why it did not succeed.", **one_of(ERROR_KINDS))
    error_message: str = maybe("What went wrong, for a person.")
    error_message_key: str = maybe(MESSAGE_KEY)
    error_params: dict[str, Any] = maybe(MESSAGE_PARAMS)
    summary: str = maybe("What was done, for a person.")
    log_url: str = maybe("Where its log is.")


class Evidence(Answer):
    """A file that shows how a run went."""

    number: Version = told("Its number within the run.")
    type: EvidenceKind = told("What it shows.")
    name: str = told("The file's name.")
    content_type: str = told("What kind of file.")
    bytes: Version = told("Its size.")
    sha256: str = told("Its SHA-256.", pattern="^[0-9a-f]{64}$")
    created_at: Time = told("When it was announced.")
    stored: bool = told("Whether it has arrived.")


class Upload(Answer):
    """Where a file is to be sent."""

    method: Literal["PUT"] = told("How.")
    url: str = told("Where; for 15 minutes, and for these bytes only.")
    headers: dict[str, str] = told("What the request must carry.")


class TaskMove(Answer):
    """One move of a task."""

    at: Time = told("When.")
    by: str = told("Who: user, worker, gateway, or system: and the part of it.")
    trigger: str = told("The row of the lifecycle's table.", **one_of(TASK.triggers))
    before: str | None = Field(alias="from", description="The state before; null for the first.")
    to: str = told("The state after.", **_TASK_STATUS)
    run_id: Id | None = told("The run that it belongs to, if any.")


class TasksOfItem(Answer):
    """How far the tasks are that an item's todos have become."""

    total: Count = told("How many there are.")
    done: Count = told("Those that are done.")
    cancelled: Count = told("Those that were cancelled.")
    open: Count = told("All others.")
    all_done: bool = told("Nothing is left to do: the item can be archived.")
    tasks: list[Task] = told("In the order in which they were accepted.")


class TaskAnswer(Answer):
    """The task as the call leaves it."""

    task: Task | Reference = told("The task.")


class AcceptAnswer(Answer):
    """The task that a todo has become."""

    task: Task = told("The task.")
    item: Item = told("The item whose todo it was.")


class TasksAnswer(Answer):
    """One page of tasks."""

    tasks: list[Task] = told("P0 first, then the oldest.", maxItems=100)
    next_cursor: str | None = told("Where to go on; null at the end.")


class WholeTaskAnswer(Answer):
    """A task with all that is shown of it."""

    task: Task = told("The task, with its payload.")
    runs: list[Run] = told("Its runs, the newest first.")
    available_actions: list[WorkAction] = told("What can be done now.")
    history: list[TaskMove] = told("Every move, the oldest first.")


class ClaimAnswer(Answer):
    """What to work on."""

    task: Task = told("The task, with its payload.")
    run: Run = told("Your run of it.")


class RunAnswer(Answer):
    """The run as the call leaves it."""

    run: Run | Reference = told("The run.")


class DoneAnswer(Answer):
    """A run that has ended, and its task."""

    task: Task | Reference = told("The task as it is now.")
    run: Run | Reference = told("The run.")


class RunsAnswer(Answer):
    """One page of runs."""

    runs: list[Run] = told("The newest first.", maxItems=100)
    next_cursor: str | None = told("Where to go on; null at the end.")


class WholeRunAnswer(Answer):
    """A run with its evidence."""

    run: Run = told("The run.")
    evidence: list[Evidence] = told("In the order in which it was announced.")
    available_actions: list[WorkAction] = told("What its worker can say now.")


class EvidenceAnswer(Answer):
    """A file that was announced, and where it is to be sent."""

    evidence: Evidence = told("The file.")
    upload: Upload = told("Where to send it.")


class HealthFigure(Answer):
    """A figure, and what it is held against."""

    value: float | None = told("Now; null if there is nothing to say.")
    status: str = told("How it is judged.", **one_of((*health.WORST_FIRST, health.NO_DATA)))
    limits: dict[str, float] = told("Within `ok` it is well; up to `degraded` it is not bad yet.")
    decides: bool = told("Whether the desk's health follows from it; if not, it only warns.")


class NotionMirror(Explained):
    """How the mirror in Notion does."""

    status: str = told("Whether there is one, and whether Notion takes what it is given.", **_MIRRORED)
    code: str = maybe("What is wrong, for a program.")
    message: str = maybe("What is wrong and what to do, for a person.")
    next_try_at: Time = maybe("When it is tried again by itself.")


class HealthAnswer(Answer):
    """How the Do desk does: the worst of the figures that decide."""

    health: str = told("In a word.", **one_of(health.WORST_FIRST))
    figures: dict[str, HealthFigure] = told("By name.")
    queueLength: Count = told("Tasks that wait.")  # noqa: N815 - named so by those who ask for it
    stats: dict[str, Count] = told("Open tasks by state, and the last day's runs by how they ended.")
    lastRun: Run | None = told("The newest run of a task.")  # noqa: N815
    lastHeartbeat: Time | None = told("When the heartbeat last came.")  # noqa: N815
    lastSyncNotion: Time | None = told("When Notion was last brought up to date; null if it never was.")  # noqa: N815
    notion: NotionMirror = told("The mirror of tasks, runs and health in Notion.")


class MetricsHour(Answer):
    """How the runs of an hour ended."""

    hour: Time = told("When it began.")
    succeeded: Count = told("Runs that succeeded.")
    failed: Count = told("Runs that failed.")
    timeout: Count = told("Runs whose time was over.")
    cancelled: Count = told("Runs that were cancelled.")
    mean_duration: float | None = told("Of all that ended, in seconds.")


class MetricsAnswer(Answer):
    """The last week."""

    hours: list[MetricsHour] = told("The oldest first.", minItems=168, maxItems=168)


class RecountAnswer(Answer):
    """The tasks, counted anew."""

    counted: dict[str, Count] = told("Open tasks by state.")
    drift: dict[str, int] = told("How many too many were counted, where it was not right; it is now.")


ANSWERS = (
    *(TaskAnswer, TasksAnswer, WholeTaskAnswer, ClaimAnswer, AcceptAnswer),
    *(RunAnswer, DoneAnswer, RunsAnswer, WholeRunAnswer, EvidenceAnswer),
    *(HealthAnswer, MetricsAnswer, RecountAnswer),
)
