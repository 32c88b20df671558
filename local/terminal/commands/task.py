"""`readdo task` and `accept`: add, list and show tasks, download their files, accept todos as tasks."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from terminal import downloads, names, task_output
from terminal.api import Api, ApiResponse, at, item
from terminal.command import ITEM, TASK, folder_option, task_argument, verb
from terminal.commands.task_moves import block, cancel, claim, done, enqueue, requeue, tell
from terminal.failures import missing, usage
from terminal.session import Session, put_json
from terminal.text import clean_json, one_line
from terminal.words import OPEN, TASK_PRIORITIES, TASK_STATES, Row, short, task_title

_PRIORITY = click.Choice(TASK_PRIORITIES, case_sensitive=False)
LOOKED_AT = 5  # the number of newest runs whose evidence is shown
_EXAMPLE = """Example: --payload '{"path": "src"}'"""
_GIVEN = ("title", "priority", "project", "due_date", "timeout_seconds", "max_retries", "hold", "id")


@click.group("task")
def task() -> None:
    """Add, list, claim and finish tasks.

    You do a task yourself (claim, done), or a program does it (readdo work); each attempt is a run. ID is the short id
    from `task list`, or at least four characters from the beginning or end of an id; @ is the newest task.
    """


@verb("add")
@click.argument("intent")
@click.option("--title", metavar="TEXT", help="Title in one line.")
@click.option("--payload", metavar="JSON|@FILE", help="Input for the command, a JSON object; @- reads it from stdin.")
@click.option("--priority", type=_PRIORITY, help="P0 is claimed first.  [P2]")
@click.option("--project", metavar="NAME", help="Project of the task.")
@click.option(
    "--depends-on",
    "depends_on",
    multiple=True,
    metavar="ID",
    type=TASK,
    help="Wait until this task is done; repeatable.",
)
@click.option("--due", "due_date", metavar="DAY", help="Due date, such as 2026-11-30.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag; repeatable.")
@click.option("--timeout", "timeout_seconds", type=int, metavar="SECONDS", help="Time limit of a run.  [300]")
@click.option("--max-retries", type=int, metavar="N", help="Retries after the command failed.  [0]")
@click.option("--hold", is_flag=True, help="Add to inbox. Release it with `readdo task enqueue`.")
@click.option("--id", "id", metavar="UUID", help="Id of the task; adding the same id again creates no second task.")
@click.pass_obj
def add(session: Session, /, intent: str, payload: str | None, **options: Any) -> None:
    """Add a task. INTENT is the kind of task: runQA, fixBug, write or a name of your own."""
    options["depends_on"] = [names.find_task(session.api, name) for name in options["depends_on"]]
    response = session.api.post("/tasks", _body(intent, payload, **options))
    session.tell(response, lambda data: _tell_added(session, data["task"]))
    if response.status == 200:
        session.note("This task already exists and was not changed.")


@verb("list")
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(TASK_STATES, case_sensitive=False),
    metavar="STATUS",
    help="Filter by status: inbox, todo, doing, blocked, done, cancelled; repeatable.  [open tasks]",
)
@click.option("--priority", multiple=True, type=_PRIORITY, metavar="P0…P3", help="Filter by priority; repeatable.")
@click.option("--intent", multiple=True, metavar="INTENT", help="Filter by intent; repeatable.")
@click.option("--project", multiple=True, metavar="NAME", help="Filter by project; repeatable.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Maximum number of tasks.")
@click.option("--all", "whole", is_flag=True, help="List all tasks, done and cancelled ones too.")
@click.pass_obj
def listed(session: Session, /, whole: bool, limit: int, **filters: tuple[str, ...]) -> None:
    """List tasks: P0 first, then the oldest.

    In a pipe, each task is one line of tab-separated columns: id, status, priority, intent, project, created, worker,
    title, reason of the block.
    """
    parameters = {**filters, "status": filters["status"] or (() if whole else OPEN)}
    page = _fetch(session, {**parameters, "limit": names.PAGE if whole else limit}, whole)
    if session.json:
        put_json(page)
        return
    task_output.tasks(session.screen, clean_json(page["tasks"]), session.outside.now())
    if page["tasks"]:
        if page["next_cursor"]:
            session.note("More tasks: readdo task list --all")
    elif any(parameters[name] for name in parameters if name != "status"):
        session.note("No tasks match.")
    else:
        session.note('No open tasks. Add one: readdo task add write --title "…"')


@verb("show")
@task_argument
@click.pass_obj
def show(session: Session, name: str) -> None:
    """Show a task: payload, runs with their files, history, and the next commands."""
    response = session.api.get(at("tasks", names.find_task(session.api, name)))
    evidence = _evidence_of(session.api, response.raw["runs"])
    if session.json:
        put_json({**response.raw, "evidence": evidence})
    else:
        payload = response.raw["task"].get("payload")
        task_output.show_task(session.screen, response.data, clean_json(evidence), payload, session.outside.now())


@verb("files")
@task_argument
@click.option("--run", "attempt", type=click.IntRange(1), metavar="N", help="Number of the run.  [newest with files]")
@folder_option
@click.pass_obj
def files(session: Session, name: str, attempt: int | None, folder: Path) -> None:
    """Download the files of a run: log, reports, pictures. Existing files are not overwritten."""
    response = session.api.get(at("tasks", names.find_task(session.api, name)))
    run, evidence = _files(session, response.raw["runs"], attempt)
    if not evidence:
        message = f"Run {attempt} of this task has no files." if attempt else "No run of this task has files."
        raise missing(message, f"Show the runs: readdo task show {short(str(response.raw['task']['id']))}")
    saved = [_save(session, run, file, folder) for file in evidence]
    if session.json:
        put_json({"run": run, "files": saved})


for each in (add, listed, show, files, claim, done, block, requeue, enqueue, cancel):
    task.add_command(each)


@verb("accept")
@click.argument("name", metavar="ID", type=ITEM)
@click.argument("numbers", metavar="N…", type=click.IntRange(1, 99), nargs=-1, required=True)
@click.option("--priority", type=_PRIORITY, help="Instead of the todo's own.")
@click.pass_obj
def accept(session: Session, name: str, numbers: tuple[int, ...], priority: str | None) -> None:
    """Turn an item's todos into tasks, by the numbers from `readdo show ID --only todos`.

    Accepting a todo again returns the same task.
    """
    item_id = names.find(session.api, name)
    todos = session.api.get(item(item_id)).data.get("artifacts", {}).get("todos")
    if todos is None:
        raise missing("This item has no todos yet.", f"Show the item: readdo show {name}")
    # The version makes the API reject todos that have changed in the meantime.
    body = {"version": todos["version"], **({"priority": priority} if priority else {})}
    results: list[dict[str, Any]] = []
    for number in dict.fromkeys(numbers):
        response = session.api.post(item(item_id, "todos", str(number), "accept"), body)
        results.append(response.raw)
        if not session.json:
            _tell_accepted(session, response)
    if session.json:
        put_json(results[0] if len(results) == 1 else {"results": results})


def _tell_added(session: Session, task: Row) -> None:
    if session.screen.live:
        tell(session, task)
    else:
        session.screen.line(str(task["id"]))


def _body(intent: str, payload: str | None, **options: Any) -> dict[str, Any]:
    """Return the request body with only the options that were set; the API has defaults for the others."""
    fields = {name: options[name] for name in _GIVEN if options.get(name) not in (None, "", False)}
    fields |= {name: list(options[name]) for name in ("depends_on", "tags") if options.get(name)}
    return {"intent": intent, **fields, **({"payload": _payload(payload)} if payload is not None else {})}


def _payload(option: str) -> Any:
    where = "The payload" if not option.startswith("@") else f"The content of {option[1:]}"
    try:
        document = json.loads(_text(option))
    except OSError as error:
        raise usage(f"{option[1:]} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise usage(f"{where} is not valid JSON: {error}.", _EXAMPLE) from None
    if not isinstance(document, dict):
        raise usage(f"{where} is not a JSON object.", _EXAMPLE)
    return document


def _text(option: str) -> str:
    if option == "@-":
        return sys.stdin.read()
    return Path(option[1:]).read_text(encoding="utf-8") if option.startswith("@") else option


def _fetch(session: Session, query: dict[str, Any], whole: bool) -> dict[str, Any]:
    """Fetch pages up to the limit and merge them into one response. A short page may have a next one."""
    result: dict[str, Any] = session.api.get("/tasks", query).raw
    while result.get("next_cursor") and (whole or len(result["tasks"]) < query["limit"]):
        remaining = query["limit"] if whole else query["limit"] - len(result["tasks"])
        more = session.api.get("/tasks", {**query, "limit": remaining, "cursor": result["next_cursor"]}).raw
        result = {"tasks": [*result["tasks"], *more["tasks"]], "next_cursor": more.get("next_cursor")}
    return result


def _evidence_of(api: Api, runs: Sequence[Row]) -> dict[str, Any]:
    """Map the ids of the newest runs to their evidence."""
    return {str(run["id"]): api.get(at("runs", str(run["id"]))).raw["evidence"] for run in runs[:LOOKED_AT]}


def _files(session: Session, runs: list[Row], attempt: int | None) -> tuple[Row, list[Row]]:
    """Return the newest run that has files, or the requested one."""
    for run in runs:
        if attempt in (None, run["attempt"]):
            evidence = session.api.get(at("runs", str(run["id"]))).raw["evidence"]
            if files := [file for file in evidence if file["stored"]]:
                return run, files
    return {}, []


def _save(session: Session, run: Row, file: Row, folder: Path) -> dict[str, Any]:
    place = at("runs", str(run["id"]), "evidence", str(file["number"]))
    path, new = downloads.save(session, place, one_line(str(file["name"])), file, folder)
    downloads.say(session, path, new)
    return {**file, "saved_as": str(path)}


def _tell_accepted(session: Session, response: ApiResponse) -> None:
    task, screen = response.data["task"], session.screen
    if not screen.live:
        screen.line(str(task["id"]))
        return
    note = "" if response.status == 201 else ", already a task"
    screen.paragraph(task_title(task), first=("✓ ", "green"))
    screen.line((f"  {short(task['id'])}  ", "bold"), (f"{task['intent']}, {task['priority']}{note}", "dim"))
