"""`readdo collect`: assignments, batches and documents of the Collect desk."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from terminal import collect_output, downloads
from terminal.api import Api, ApiResponse, at
from terminal.collect_files import document_at, read_json, write_json
from terminal.collect_worker import FolderWorker
from terminal.command import verb
from terminal.failures import FAILED, REFUSED, CommandFailure, usage
from terminal.session import Session, put_json
from terminal.text import clean_json
from terminal.words import Row
from terminal.worker.interruptions import Stop, WorkerStopped

TOGETHER = 1000  # assignments of one request
PAGE = 100
STATES = ("pending", "in_progress", "partial", "done", "failed", "skipped")
_OPEN = ("pending", "in_progress", "partial", "failed")
_TYPES = ("content_supplement", "create_document", "url", "topic")
_COMPLETENESS = ("complete", "partial", "incomplete")
_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)
_split = click.option("--split", is_flag=True, help="Make several of an assignment with more than 5 documents.")


@click.group("collect")
def collect() -> None:
    """Hand out assignments in batches, and verify the documents that come back.

    An assignment names documents of your library. A worker gets a batch of them as a JSON file and returns another one.
    Nothing is done until its documents have been verified.
    """


@verb("check")
@click.argument("file", type=_FILE)
@_split
@click.pass_obj
def check(session: Session, file: Path, split: bool) -> int:
    """Check the assignments of a JSON file. Nothing is stored. Exit code 1 if one is not valid."""
    results = _validate(session.api, _assignments(file), split=split)
    valid = sum(bool(result["valid"]) for result in results)
    if session.json:
        put_json({"results": results, "valid": valid, "invalid": len(results) - valid})
    else:
        collect_output.show_problems(session.screen, clean_json(results))
        session.note(f"{len(results)} assignments: {valid} valid, {len(results) - valid} not valid.")
    return 0 if valid == len(results) else FAILED


@verb("add")
@click.argument("file", type=_FILE)
@_split
@click.pass_obj
def add(session: Session, file: Path, split: bool) -> int:
    """Add the assignments of a JSON file. If one is not valid, none is added."""
    rows = _assignments(file)
    results = _validate(session.api, rows, split=split) if len(rows) > TOGETHER else []
    if any(not result["valid"] for result in results):
        collect_output.show_problems(session.notes, clean_json(results))
        raise usage("Nothing was added: an assignment is not valid.")
    added: list[Row] = []
    taken: list[Row] = []
    for group in _groups(rows):
        response = _post_assignments(session, f"/assignments{'?split=true' if split else ''}", group)
        added += response.raw["assignments"]
        taken += response.raw["errors"]
    if session.json:
        put_json({"assignments": added, "errors": taken})
    else:
        session.note(f"{len(added)} assignments are stored.")
        for error in clean_json(taken):
            session.notes.paragraph(str(error["message"]), "red", first="✗ ")
    return REFUSED if taken else 0


@verb("list")
@click.option("--status", "statuses", multiple=True, type=click.Choice(STATES), help="State; repeatable.")
@click.option("--type", "types", multiple=True, type=click.Choice(_TYPES), help="Type; repeatable.")
@click.option("--priority", type=click.IntRange(1, 5), help="Priority; 1 comes first.")
@click.option("--batch", metavar="NAME", help="Assignments of a batch.")
@click.option("--all", "-a", "everything", is_flag=True, help="Also those that are done or skipped.")
@click.pass_obj
def listed(
    session: Session,
    statuses: tuple[str, ...],
    types: tuple[str, ...],
    priority: int | None,
    batch: str | None,
    everything: bool,
) -> None:
    """List open assignments, oldest first."""
    chosen = statuses or (() if everything or batch else _OPEN)
    query = {"status": chosen, "type": types, "priority": priority, "batch": batch}
    rows = list(_pages(session.api, "/assignments", "assignments", query))
    if session.json:
        put_json({"assignments": rows, "next_cursor": None})
        return
    collect_output.show_assignments(session.screen, clean_json(rows))
    if not rows:
        session.note("No assignments. To add some: readdo collect add FILE")


@verb("show")
@click.argument("name", metavar="ID")
@click.pass_obj
def show(session: Session, name: str) -> None:
    """Show an assignment: its documents, and its attempts with what was claimed and what was verified."""
    response = session.api.get(at("assignments", name))
    session.tell(response, lambda data: collect_output.show_assignment(session, data))


@verb("pick")
@click.option("--to", "folder", type=_FOLDER, help="Save the input here, as NAME.json.")
@click.option("--own", is_flag=True, help="Let Read→Do do it: it reads the pages and writes the documents.")
@click.pass_obj
def pick(session: Session, folder: Path | None, own: bool) -> int:
    """Pick a batch of up to 20 pending assignments."""
    response = session.api.post("/batches", {"worker": "own" if own else "file"})
    if response.status == 204:
        session.note("Nothing is pending.")
        return FAILED
    name = str(response.raw["batch"]["batch_name"])
    if folder:
        write_json(folder / f"{name}.json", session.api.get(at("batches", name, "input")).raw)
    session.tell(response, lambda data: collect_output.show_batch(session, data["batch"]))
    return 0


@verb("apply")
@click.argument("file", type=_FILE)
@click.option("--dry-run", is_flag=True, help="Show what would change. Nothing is changed.")
@click.pass_obj
def apply(session: Session, file: Path, dry_run: bool) -> int:
    """Send the output of a batch, and show what became of its assignments."""
    output = _output(file)
    path = at("batches", str(output["batch_name"]), "output") + ("?dry_run=true" if dry_run else "")
    try:
        response = session.api.put(path, output, "")
    except CommandFailure as failure:
        collect_output.show_faults(session.notes, failure.details)
        raise
    session.tell(response, lambda data: collect_output.show_moved(session.screen, data["moved"]))
    if response.status == 202:
        session.note("The output is being applied. Send it again to see the result.")
    return 0


@verb("work")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option("--once", is_flag=True, help="Stop after one batch.")
@click.pass_obj
def work(session: Session, folder: Path, once: bool) -> int:
    """Hand batches to another program, through files in DIR.

    Each batch is written to DIR/input/NAME.json, and its existing documents to DIR/documents/. Your program writes
    documents to DIR/documents/ and then its output to DIR/output/NAME.json. The output is applied, and the files of the
    batch are moved to DIR/archive/NAME/. A faulty output is shown and stays: correct it, and it is sent again.
    """
    _ = session.endpoint  # fail now if no server is set
    stop = Stop(session.outside.sleep)
    with stop.heeded():
        try:
            return FolderWorker(session, folder, stop).work(once=once)
        except WorkerStopped:
            session.note(f"Stopped. To go on: readdo collect work {folder}")
            return stop.exit_code


@verb("status")
@click.pass_obj
def status(session: Session) -> None:
    """Show the figures and the warnings."""
    session.tell(session.api.get("/collect/stats"), lambda data: collect_output.show_status(session, data))


@verb("documents")
@click.argument("path", required=False)
@click.option("--status", "statuses", multiple=True, type=click.Choice(_COMPLETENESS), help="Status; repeatable.")
@click.option("--put", "source", type=_FILE, help="Store this file as the document PATH.")
@click.option("--to", "folder", type=_FOLDER, help="Save the document PATH in this folder.")
@click.pass_obj
def documents(
    session: Session, path: str | None, statuses: tuple[str, ...], source: Path | None, folder: Path | None
) -> None:
    """List documents by PATH prefix. A PATH that ends in .md shows the completeness of that document."""
    if (source or folder) and not (path or "").endswith(".md"):
        raise usage("Give the PATH of a document. It ends in .md.")
    if source:
        body = {"content": _text(source)}
        response = session.api.put(document_at(str(path)), body, "")
        session.tell(response, lambda data: collect_output.show_documents(session.screen, [data["document"]]))
    elif path and path.endswith(".md"):
        if folder:
            content = str(session.api.get(document_at(path)).raw["content"]).encode()
            folder.mkdir(parents=True, exist_ok=True)
            downloads.say(session, *downloads.put(folder, downloads.name_of("", path), content))
        response = session.api.get(f"{document_at(path)}/completeness")
        session.tell(response, lambda data: collect_output.show_completeness(session.screen, data))
    else:
        rows = list(_pages(session.api, "/documents", "documents", {"prefix": path, "status": statuses}))
        if session.json:
            put_json({"documents": rows, "next_cursor": None})
        else:
            collect_output.show_documents(session.screen, clean_json(rows))


def _move(name: str, does: str) -> click.Command:
    @verb(name, help=does)
    @click.argument("assignment", metavar="ID")
    @click.pass_obj
    def run(session: Session, assignment: str, reason: str = "") -> None:
        response = session.api.post(at("assignments", assignment, name), {"reason": reason} if reason else {})
        session.tell(response, lambda data: collect_output.show_assignments(session.screen, [data["assignment"]]))

    if name == "skip":
        run.params.append(click.Option(["--reason"], required=True, metavar="TEXT", help="The permission it needs."))
    return run


for command in (check, add, listed, show, pick, apply, work, status, documents):
    collect.add_command(command)
collect.add_command(_move("skip", "Skip a pending assignment that needs a permission. This is final."))
collect.add_command(_move("retry", "Make a failed assignment pending again."))
collect.add_command(_move("continue", "Make a partial assignment pending again."))


def _text(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.read()
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise usage(f"{file} is not UTF-8 text.", "Save it as UTF-8, then try again.") from error


def _assignments(file: Path) -> list[Any]:
    """A list, one assignment, or an object with the list in `tasks`."""
    value = _json(file)
    if isinstance(value, dict) and isinstance(value.get("tasks"), list):
        value = value["tasks"]
    rows = value if isinstance(value, list) else [value]
    if not rows:
        raise usage(f"{file} has no assignments.")
    return rows


def _output(file: Path) -> dict[str, Any]:
    output = _json(file)
    if not isinstance(output, dict) or not isinstance(output.get("batch_name"), str):
        raise usage(f"{file} is not the output of a batch: it has no batch_name.")
    return output


def _json(file: Path) -> Any:
    try:
        return read_json(_text(file))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise usage(f"{file} is not valid JSON: {error.msg}, {place}. Nothing was sent.") from error


def _groups(rows: list[Any]) -> Iterator[list[Any]]:
    for first in range(0, len(rows), TOGETHER):
        yield rows[first : first + TOGETHER]


def _validate(api: Api, rows: list[Any], *, split: bool) -> list[Row]:
    path = f"/assignments/validate{'?split=true' if split else ''}"
    return [result for group in _groups(rows) for result in api.post(path, group, key="").raw["results"]]


def _post_assignments(session: Session, path: str, group: list[Any]) -> ApiResponse:
    try:
        return session.api.post(path, group)
    except CommandFailure as failure:
        collect_output.show_problems(session.notes, clean_json(failure.details.get("results", [])))
        raise


def _pages(api: Api, path: str, name: str, query: dict[str, Any]) -> Iterator[Row]:
    cursor = ""
    while True:
        page = api.get(path, {**query, "limit": PAGE, "cursor": cursor}).raw
        yield from page[name]
        cursor = page["next_cursor"]
        if not cursor:
            return
