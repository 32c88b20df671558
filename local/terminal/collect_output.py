"""Output of the Collect desk: assignments, attempts, batches, documents, figures and faults."""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal.collect_files import documents_of
from terminal.item_detail import offer
from terminal.screen import Screen, meter, print_tabs
from terminal.session import Session
from terminal.text import cut, fit, widest
from terminal.time_format import ago
from terminal.words import Row, next_commands

_ASSIGNMENT_COLUMNS = ("id", "status", "type", "priority", "completion_rate", "attempts", "batch_name", "title")
_DOCUMENT_COLUMNS = ("path", "status", "completion_rate", "version", "updated_at")
_COLOURS = {
    **{"done": "green", "partial": "yellow", "failed": "red", "in_progress": "cyan", "skipped": "dim"},
    **{"complete": "green", "incomplete": "red", "applied": "green", "timed_out": "red"},
}
_STATE, _ID, _BAR = 11, 24, 20
_PARTS = {
    "metadata": "Metadata fields",
    "resource_links": "Resource links",
    "summary": "Summary characters",
    "details": "Detail characters",
    "key_points": "Key points",
}


def two_digits(rate: Any) -> str:
    """Rounded down, so that 0.899 is never shown as 0.90."""
    return "" if rate is None else f"{round(float(rate) * 10_000) // 100 / 100:.2f}"


def show_assignments(screen: Screen, rows: Sequence[Row]) -> None:
    if screen.columns is None:
        print_tabs([_cell(row, name) for name in _ASSIGNMENT_COLUMNS] for row in rows)
        return
    wide = widest((str(row["id"]) for row in rows), _ID)
    for row in rows:
        state = str(row["status"])
        screen.line(
            (fit(str(row["id"]), wide) + "  ", "bold"),
            (fit(state, _STATE) + "  ", _COLOURS.get(state, "")),
            f"{two_digits(row.get('completion_rate')):4}  ",
            cut(_subject(row), screen.columns - wide - _STATE - 10),
        )
        if row.get("reason") or row.get("error"):
            text = str(row.get("error") or row.get("reason"))
            screen.line(" " * (wide + 2), (cut(text, screen.columns - wide - 2), "yellow"))


def _cell(row: Row, name: str) -> object:
    if name == "title":
        return _subject(row)
    return "" if row.get(name) is None else row[name]


def _subject(row: Row) -> str:
    """Its title, its link, or its first document."""
    documents = documents_of(row)
    more = f" (+{len(documents) - 1})" if len(documents) > 1 else ""
    return str(row.get("title") or row.get("url") or (f"{documents[0]}{more}" if documents else row.get("type") or ""))


def show_assignment(session: Session, data: Row) -> None:
    screen, row = session.screen, data["assignment"]
    state = str(row["status"])
    screen.line((f"{row['id']}  ", "bold"), (state, _COLOURS.get(state, "")), f"  {row['type'] or ''}  {_subject(row)}")
    for name in ("reason", "error"):
        if row.get(name):
            screen.paragraph(str(row[name]), "yellow", first=f"  {name.capitalize()}: ")
    for warning in row["warnings"]:
        screen.paragraph(str(warning), "yellow", first="  ! ")
    if data["documents"]:
        screen.heading("Documents")
        for document in data["documents"]:
            missing = "is not in the library" if document["version"] is None else f"version {document['version']}"
            screen.line(f"  {two_digits(document['completion_rate']):4}  {document['path']}", (f"  {missing}", "dim"))
    for place, attempt in enumerate(data["attempts"], 1):
        screen.heading(
            f"Attempt {place}", f"{attempt['batch_name']}, {ago(attempt['picked_at'], session.outside.now())}"
        )
        _show_attempt(screen, attempt)
    offer(screen, next_commands(data["available_actions"], {}))


def _show_attempt(screen: Screen, attempt: Row) -> None:
    claimed, verified = attempt["claimed"] or {}, attempt["verified"]
    rate = f", {two_digits(claimed['completion_rate'])}" if _is_number(claimed.get("completion_rate")) else ""
    screen.line(f"  The worker said: {attempt['said'] or 'nothing'}{rate}")
    if verified:
        passed = "passed" if verified["passed"] else "not passed"
        screen.line(f"  Verified: {passed}, {two_digits(verified['completion_rate'])}")
        for item in verified["missing_items"]:
            screen.paragraph(str(item), first="    - ")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def show_batch(session: Session, batch: Row) -> None:
    if session.screen.columns is None:
        print_tabs([[batch["batch_name"], *batch["ids"]]])
        return
    session.screen.line(
        (str(batch["batch_name"]), "bold"), f"  {len(batch['ids'])} assignments until {batch['deadline']}"
    )
    for name in batch["ids"]:
        session.screen.line(f"  {name}")


def show_moved(screen: Screen, moved: Sequence[Row]) -> None:
    if screen.columns is None:
        print_tabs([row["id"], row["from"], row["to"], row.get("completion_rate", "")] for row in moved)
        return
    wide = widest((str(row["id"]) for row in moved), _ID)
    for row in moved:
        state = str(row["to"])
        rate = f"  {two_digits(row['completion_rate'])}" if "completion_rate" in row else ""
        screen.line((fit(str(row["id"]), wide), "bold"), "  → ", (state, _COLOURS.get(state, "")), rate)
        for item in row.get("missing_items") or ():
            screen.paragraph(str(item), "dim", first="    - ")


def show_problems(screen: Screen, results: Sequence[Row]) -> None:
    for place, result in enumerate(results):
        name = str(result["id"] or f"[{place}]")
        for error in result["errors"]:
            screen.paragraph(f"{name}: {error['message']}", "red", first="✗ ")
        for warning in result["warnings"]:
            screen.paragraph(f"{name}: {warning}", "yellow", first="! ")


def show_faults(screen: Screen, details: Mapping[str, Any]) -> None:
    for fault in details.get("faults") or ():
        screen.paragraph(f"{fault.get('pointer') or '(the whole file)'} {fault.get('message')}", first="  ")


def show_documents(screen: Screen, rows: Sequence[Row]) -> None:
    if screen.columns is None:
        print_tabs([row[name] for name in _DOCUMENT_COLUMNS] for row in rows)
        return
    for row in rows:
        state = str(row["status"])
        screen.line(
            f"{two_digits(row['completion_rate']):4}  ",
            (fit(state, _STATE) + "  ", _COLOURS.get(state, "")),
            cut(str(row["path"]), screen.columns - _STATE - 8),
        )


def show_completeness(screen: Screen, data: Row) -> None:
    state = str(data["status"])
    screen.line((two_digits(data["completion_rate"]), "bold"), "  ", (state, _COLOURS.get(state, "")))
    for name, part in data["parts"].items():
        filled = min(_BAR, _BAR * part["have"] // part["need"])
        colour = "green" if part["have"] >= part["need"] else "yellow"
        screen.line(f"  {_PARTS.get(name, name):20}", *meter(filled, _BAR, colour), f"  {part['have']}/{part['need']}")
    for item in data["missing_items"]:
        screen.paragraph(str(item), first="  - ")


def show_status(session: Session, data: Row) -> None:
    screen, tasks, documents = session.screen, data["tasks"], data["documents"]
    screen.heading("Assignments", f"{tasks['total_tasks']}, done {_rate(tasks['completion_rate'])}")
    for state in ("pending", "in_progress", "partial", "done", "failed", "skipped"):
        screen.line(f"  {fit(state, _STATE)}  {tasks[state]:>6}")
    screen.heading("Documents", f"{documents['created_count']} of {documents['target_count']}")
    screen.line(f"  {fit('complete', _STATE)}  {documents['complete_count']:>6}")
    screen.line(f"  {fit('partial', _STATE)}  {documents['partial_count']:>6}")
    screen.line(f"  {fit('collected', _STATE)}  {_rate(documents['collection_rate']):>6}")
    screen.line(f"  {fit('average', _STATE)}  {_rate(documents['avg_completion_rate']):>6}")
    if data["warnings"]:
        screen.blank()
    for warning in data["warnings"]:
        screen.paragraph(str(warning["message"]), "yellow", first="! ")


def _rate(value: Any) -> str:
    return "–" if value is None else two_digits(value)
