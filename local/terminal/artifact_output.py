"""Print the artifacts of an item: summary, score with reasons and evidence, todos, card, exports."""

from collections.abc import Callable, Mapping, Sequence

from terminal import time_format, words
from terminal.screen import Part, Screen, meter
from terminal.text import wrap
from terminal.words import Row, export_look, short

_SIGNALS = {"intent_match": "relevance", "content_signal": "depth", "novelty": "novelty", "effort_fit": "effort"}
_BAR = 12
_EXPORTS_SHOWN = 5
_COLOURS = {"DONE": "green", "RUNNING": "magenta", "FAILED": "red"}


def summary(screen: Screen, payload: Row, note: str = "") -> None:
    screen.heading("Summary", note)
    for bullet in payload["bullets"]:
        screen.paragraph(bullet, first=("  • ", "cyan"))
    screen.paragraph(payload["insight"], "bold", first=("  → ", "cyan"))


def score(screen: Screen, payload: Row, note: str = "") -> None:
    confidence = payload.get("confidence")
    priority = words.PRIORITIES.get(str(payload.get("priority")), "")
    notes = [
        f"{payload['match_score']:.1f}",
        priority,
        f"{confidence:.0%} sure" if confidence is not None else "",
        note,
    ]
    screen.heading("Score", " · ".join(part for part in notes if part))
    _signals(screen, payload.get("signals", {}))
    evidence = payload.get("evidence", [])
    for number, reason in enumerate(payload["reasons"], 1):
        screen.paragraph(reason, first=(f"  {number}. ", "cyan"))
        for quote in evidence:
            if quote.get("supports") == f"reason#{number}":
                _quote(screen, quote)


def _quote(screen: Screen, quote: Row) -> None:
    hint = f" ({quote['source_hint']})" if quote.get("source_hint") else ""
    screen.paragraph(f"“{quote['quote']}”{hint}", "dim", first="     ")


def _signal(label: str, value: float) -> tuple[Part, ...]:
    full = max(0, min(_BAR, round(value / 100 * _BAR)))
    return (f"  {label:9}", *meter(full, _BAR, "cyan"), f" {value:5.1f}   ")


def _signals(screen: Screen, signals: Mapping[str, float]) -> None:
    """Print the signals as bars, two per line; in a pipe, as numbers."""
    values = [(label, signals[name]) for name, label in _SIGNALS.items() if name in signals]
    if not screen.live:
        if values:
            screen.line("  " + ", ".join(f"{label} {value:g}" for label, value in values))
        return
    for pair in (values[:2], values[2:]):
        screen.line(*(part for label, value in pair for part in _signal(label, value)))


def todos(screen: Screen, payload: Row, note: str = "") -> None:
    screen.heading("Todos", note)
    for number, todo in enumerate(payload["todos"], 1):
        screen.paragraph(todo["title"], first=(f"  {number}. ", "cyan"))
        tags = " ".join(f"#{tag}" for tag in todo.get("tags", []))
        facts = " · ".join(fact for fact in (todo["priority"], todo["type"], todo["eta"], tags) if fact)
        screen.paragraph(facts, "green", first="     ")
        if todo.get("why"):
            screen.paragraph(todo["why"], "dim", first="     ")


def card(screen: Screen, payload: Row, note: str = "") -> None:
    screen.heading("Card", note)
    if screen.columns is None:
        _plain_card(screen, payload)
        return
    room = screen.columns - 6
    lines = _wrapped(payload["headline"], room, "bold")
    lines.append([])
    for point in payload["points"]:
        lines += _wrapped(point, room, "", "• ")
    lines += [[], *_wrapped(payload["insight"], room, "italic"), []]
    lines += _wrapped(payload["action"], room, "bold green", "→ ")
    screen.panel(lines, "cyan")
    screen.paragraph(" ".join(f"#{tag}" for tag in payload.get("hashtags", [])), "dim", first="  ")


def _wrapped(text: str, room: int, style: str, mark: str = "") -> list[list[Part]]:
    lines = wrap(text, room - len(mark))
    return [[mark if number == 0 else " " * len(mark), (line, style)] for number, line in enumerate(lines)]


def _plain_card(screen: Screen, payload: Row) -> None:
    screen.line("  " + payload["headline"])
    for point in payload["points"]:
        screen.line("  • " + point)
    screen.line("  " + payload["insight"])
    screen.line("  → " + payload["action"])
    if payload.get("hashtags"):
        screen.line("  " + " ".join(f"#{tag}" for tag in payload["hashtags"]))


def caption(screen: Screen, payload: Row) -> None:
    """Print the text that accompanies the card when the user posts it."""
    if payload.get("caption"):
        screen.heading("Caption")
        screen.paragraph(payload["caption"], first="  ")


def exports(screen: Screen, rows: Sequence[Row], item_id: str) -> None:
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


PRINTERS: dict[str, Callable[[Screen, Row, str], None]] = {
    "summary": summary,
    "score": score,
    "todos": todos,
    "card": card,
}
