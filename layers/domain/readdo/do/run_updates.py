"""What a worker says of its run: that it began, that it lives, how it ended."""

from typing import Any

from readdo import clock
from readdo.do import run_archive, run_completion, run_outcome, views
from readdo.do.task_requests import Outcome
from readdo.do.task_writes import after
from readdo.do.transactions import Answer, CommandContext, PlannedWrites, carry_out, run_of, task_of
from readdo.lifecycle.advance import Change, Conflict, Forbidden, Move, move
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.run import ENDED, RUN, WORKER
from readdo.lifecycle.task import TASK
from readdo.store import keys
from readdo.store.due import due


def start(asked: CommandContext, run_id: str) -> Answer:
    def look() -> PlannedWrites:
        run = run_of(asked, run_id, "start")
        if "started_at" in run and run["status"] not in ENDED:
            return PlannedWrites({"run": views.run(run)})  # said before
        until = clock.after(asked.at, run["lease_seconds"])
        times_out = clock.after(asked.at, run["timeout_seconds"])
        sets = {"started_at": asked.at, "times_out_at": times_out, "lease_expires_at": until}
        step = _of_run("start", run, asked.at, {**sets, **due(run_id, min(until, times_out))})
        return PlannedWrites({"run": views.run(after(run, [step], RUN))}, [step])

    try:
        return carry_out(asked, look)
    except Forbidden:
        return carry_out(asked, look)  # said at the same moment, it was said before; what has ended refuses again


def heartbeat(asked: CommandContext, run_id: str) -> Answer:
    """The lease alone: the due time stays, and who looks then sees that it lives."""

    def look() -> PlannedWrites:
        run = run_of(asked, run_id, "renew")
        step = _of_run("renew", run, asked.at, {"lease_expires_at": clock.after(asked.at, run["lease_seconds"])})
        return PlannedWrites({"run": views.run(after(run, [step], RUN))}, [step])

    return carry_out(asked, look)


def complete(asked: CommandContext, run_id: str, outcome: Outcome) -> Answer:
    told = {"exit_code": outcome.exit_code, "summary": outcome.summary, "log_url": outcome.log_url}

    def look() -> PlannedWrites:
        run = run_of(asked, run_id, "succeed")
        task = task_of(asked, run["task_id"])
        if run["status"] in ENDED and run.get("outcome") == _print(outcome):
            return PlannedWrites({"task": views.task(task), "run": views.run(run)})  # said before
        end = run_outcome.of_outcome(task, outcome)
        _still_its_own(run, task, end)
        said = {**told, "outcome": _print(outcome)}
        steps = run_completion.close(task, run, end, who=WORKER, at=asked.at, told=said)
        shown = {"task": views.task(after(task, steps, TASK)), "run": views.run(after(run, steps, RUN))}
        return PlannedWrites(shown, steps)

    answer = carry_out(asked, look)
    run_archive.at_once(asked.table, keys.run(asked.owner, run_id), asked.at)
    return answer


def _still_its_own(run: dict[str, Any], task: dict[str, Any], end: run_outcome.RunEnd) -> None:
    """What the writes would refuse anyway, told of the run and not of the task, which may be another's by now."""
    if run["status"] not in RUN.sources(end.of_run):
        raise Forbidden(RUN, end.of_run, run)
    if task.get("run_id") != run["id"]:
        raise Conflict(RUN, end.of_run, run)


def _print(outcome: Outcome) -> str:
    return f"{outcome.exit_code} {outcome.error_kind}"


def _of_run(trigger: str, run: dict[str, Any], at: str, sets: dict[str, Any]) -> Move:
    change = Change(sets, condition=VERSION_SEEN, params={"seen_version": run["version"], "now": at})
    return move(RUN, trigger, keys.run(run["owner"], run["id"]), who=WORKER, at=at, change=change)
