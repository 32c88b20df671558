"""Updates that a worker sends for its run: start, heartbeat and completion."""

from typing import Any

from readdo import clock
from readdo.do import retention, run_completion, run_outcome, task_rows, views
from readdo.do.command_rows import run_of, task_of
from readdo.do.rows import RunRow, TaskRow
from readdo.do.task_requests import Outcome
from readdo.do.task_rows import after
from readdo.lifecycle.advance import Change, Conflict, Forbidden, Move, move
from readdo.lifecycle.run import ENDED, RUN, WORKER
from readdo.lifecycle.task import TASK
from readdo.lifecycle.write import VERSION_SEEN
from readdo.store.commands import Answer, CommandContext, PlannedWrites, carry_out
from readdo.store.keys import due


def start(context: CommandContext, run_id: str) -> Answer:
    def look() -> PlannedWrites:
        run = run_of(context, run_id, "start")
        if "started_at" in run and run["status"] not in ENDED:
            return PlannedWrites({"run": views.run(run)})  # a repeated request
        until = clock.after(context.at, run["lease_seconds"])
        times_out = clock.after(context.at, run["timeout_seconds"])
        sets = {"started_at": context.at, "times_out_at": times_out, "lease_expires_at": until}
        step = _of_run("start", run, context.at, {**sets, **due(run_id, min(until, times_out))})
        return PlannedWrites({"run": views.run(after(run, [step], RUN))}, [step])

    try:
        return carry_out(context, look)
    except Forbidden:
        return carry_out(
            context, look
        )  # after a concurrent start this finds it started; an ended run is rejected again


def heartbeat(context: CommandContext, run_id: str) -> Answer:
    """Renew the lease only. The due time stays; the heartbeat then finds the new lease and postpones it."""

    def look() -> PlannedWrites:
        run = run_of(context, run_id, "renew")
        step = _of_run("renew", run, context.at, {"lease_expires_at": clock.after(context.at, run["lease_seconds"])})
        return PlannedWrites({"run": views.run(after(run, [step], RUN))}, [step])

    return carry_out(context, look)


def complete(context: CommandContext, run_id: str, outcome: Outcome) -> Answer:
    report = {"exit_code": outcome.exit_code, "summary": outcome.summary, "log_url": outcome.log_url}

    def look() -> PlannedWrites:
        run = run_of(context, run_id, "succeed")
        task = task_of(context, run["task_id"])
        if run["status"] in ENDED and run.get("outcome") == _fingerprint(outcome):
            return PlannedWrites({"task": views.task(task), "run": views.run(run)})  # a repeated request
        end = run_outcome.of_outcome(task, outcome)
        _check_ownership(run, task, end)
        fields = {**report, "outcome": _fingerprint(outcome)}
        steps = run_completion.close(task, run, end, who=WORKER, at=context.at, run_fields=fields)
        answer = {"task": views.task(after(task, steps, TASK)), "run": views.run(after(run, steps, RUN))}
        return PlannedWrites(answer, steps)

    answer = carry_out(context, look)
    retention.archive_now(context.table, task_rows.run_key(context.owner, run_id), context.at)
    return answer


def _check_ownership(run: RunRow, task: TaskRow, end: run_outcome.RunEnd) -> None:
    """Raise the error for the run. The writes would reject it too, but with an error for the task."""
    if run["status"] not in RUN.sources(end.of_run):
        raise Forbidden(RUN, end.of_run, run)
    if task.get("run_id") != run["id"]:
        raise Conflict(RUN, end.of_run, run)


def _fingerprint(outcome: Outcome) -> str:
    return f"{outcome.exit_code} {outcome.error_kind}"


def _of_run(trigger: str, run: RunRow, at: str, sets: dict[str, Any]) -> Move:
    change = Change(sets, condition=VERSION_SEEN, params={"seen_version": run["version"], "now": at})
    return move(RUN, trigger, task_rows.run_key(run["owner"], run["id"]), who=WORKER, at=at, change=change)
