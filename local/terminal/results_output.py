"""Print the Act part of an item: todos, card and exports."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from terminal import time_format
from terminal.screen import Screen
from terminal.words import export_look, short
from terminal.wrap import wrap

_EXPORTS_SHOWN = 5
_COLOURS = {"DONE": "green", "RUNNING": "magenta", "FAILED": "red"}


def todos(screen: Screen, payload: Mapping[str, Any], note: str = "") -> None:
    screen.heading("Todos", note)
    for number, todo in enumerate(payload["todos"], 1):
        screen.paragraph(todo["title"], first=(f"  {number}. ", "cyan"))
        tags = " ".join(f"#{tag}" for tag in todo.get("tags", []))
        facts = " · ".join(fact for fact in (todo["priority"], todo["type"], todo["eta"], tags) if fact)
        screen.paragraph(facts, "green", first="     ")
        if todo.get("why"):
            screen.paragraph(todo["why"], "dim", first="     ")


def card(screen: Screen, payload: Mapping[str, Any], note: str = "") -> None:
    screen.heading("Card", note)
    if screen.columns is None:
        _plain_card(screen, payload)
        return
    room = screen.columns - 6
    lines = _wrapped(payload["headline"], room, "bold")
    lines.append(Text())
    for point in payload["points"]:
        lines += _wrapped(point, room, "", "• ")
    lines += [Text(), *_wrapped(payload["insight"], room, "italic"), Text()]
    lines += _wrapped(payload["action"], room, "bold green", "→ ")
    screen.panel(lines, "cyan")
    screen.paragraph(" ".join(f"#{tag}" for tag in payload.get("hashtags", [])), "dim", first="  ")


def _wrapped(text: str, room: int, style: str, mark: str = "") -> list[Text]:
    lines = wrap(text, room - len(mark))
    marks = [mark, *[" " * len(mark)] * (len(lines) - 1)]
    return [Text(before).append(line, style) for before, line in zip(marks, lines, strict=True)]


def _plain_card(screen: Screen, payload: Mapping[str, Any]) -> None:
    screen.line("  " + payload["headline"])
    for point in payload["points"]:
        screen.line("  • " + point)
    screen.line("  " + payload["insight"])
    screen.line("  → " + payload["action"])
    if payload.get("hashtags"):
        screen.line("  " + " ".join(f"#{tag}" for tag in payload["hashtags"]))


def caption(screen: Screen, payload: Mapping[str, Any]) -> None:
    """Print the text that accompanies the card when the user posts it."""
    if payload.get("caption"):
        screen.heading("Caption")
        screen.paragraph(payload["caption"], first="  ")


def exports(screen: Screen, rows: Sequence[Mapping[str, Any]], item_id: str) -> None:
    if not rows:
        return
    screen.heading("Exports")
    for export in reversed(rows[-_EXPORTS_SHOWN:]):
        payload = export.get("payload", {})
        kinds = " ".join(file["type"] for file in payload.get("files", [])) or "no files yet"
        created = time_format.minute(export.get("created_at"))
        status = str(export.get("status", "DONE"))
        screen.paragraph(
            " · ".join(
                part for part in (kinds, export_look(export), created, f"key {payload.get('export_key', '')}") if part
            ),
            first=(f"  {status.lower()}  ", _COLOURS.get(status, "")),
        )
        if export.get("failure"):
            screen.paragraph(str(export["failure"].get("message", "")), "red", first="        ")
    screen.line((f"  Download the files: readdo export {short(item_id)} --key KEY", "dim"))
