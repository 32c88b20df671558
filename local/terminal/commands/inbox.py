"""`readdo list`: list items, on a terminal in groups, in a pipe as tab-separated lines."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click
from rich.cells import cell_len

from terminal import time_format, words
from terminal.command import verb
from terminal.screen import Screen, print_tabs
from terminal.session import Session, put_json
from terminal.text import clean_json, cut, fit, widest
from terminal.words import Item, short

SORTS = {"score": "priority_score_desc", "newest": "created_desc"}
AWAY = (words.SHIPPED, words.ARCHIVED)
PAGE = 100
COLUMNS = (
    *("id", "status", "priority", "match_score", "source_type", "created_at"),
    *("domain", "title", "intent_text", "failure", "url"),
)
_LEFT = 17  # margin, id, score and the spaces between
_RIGHT_MOST = 22


@verb("list")
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(words.STATUSES, case_sensitive=False),
    metavar="STATUS",
    help="Filter by status: captured, queued, processing, ready, failed_*, shipped, archived …; repeatable.",
)
@click.option(
    "--priority",
    multiple=True,
    type=click.Choice(list(words.PRIORITIES), case_sensitive=False),
    metavar="PRIORITY",
    help="Filter by priority: read_next, worth_it, if_time, skip; repeatable.",
)
@click.option(
    "--source-type",
    multiple=True,
    type=click.Choice(["web", "youtube", "newsletter", "other"]),
    metavar="TYPE",
    help="Filter by source: web, youtube, newsletter, other; repeatable.",
)
@click.option("--query", "-q", metavar="TEXT", help="Search in title, domain and intent.")
@click.option("--sort", type=click.Choice(list(SORTS)), default="score", show_default=True)
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Maximum number of items.")
@click.option("--all", "whole", is_flag=True, help="List all items, shipped and archived ones too.")
@click.option("--long", "-l", is_flag=True, help="Show the first reason for each score.")
@click.pass_obj
def list_items(session: Session, /, whole: bool, long: bool, limit: int, sort: str, **filters: Any) -> None:
    """List items, best score first.

    Shipped and archived items are listed only with --status shipped, --status archived or --all. In a pipe, each item
    is one line of tab-separated columns: id, status, priority, score, source, created, domain, title, intent, failure,
    url.
    """
    parameters = {
        "status": filters["status"],
        "priority": filters["priority"],
        "source_type": filters["source_type"],
        "q": filters["query"],
    }
    page = _fetch(session, {**parameters, "sort": SORTS[sort], "limit": PAGE if whole else limit}, whole)
    if session.json:
        put_json(page)
        return
    _show(session, page, flat=sort == "newest", narrowed=any(parameters.values()), whole=whole, long=long)


def _fetch(session: Session, query: dict[str, Any], whole: bool) -> dict[str, Any]:
    """Fetch the items; with --all, merge all pages into one response."""
    page: dict[str, Any] = session.api.get("/items", query).raw
    while whole and page.get("next_cursor"):
        more = session.api.get("/items", {**query, "cursor": page["next_cursor"]}).raw
        page = {"items": [*page["items"], *more["items"]], "next_cursor": more.get("next_cursor")}
    return page


def _show(session: Session, page: dict[str, Any], *, flat: bool, narrowed: bool, whole: bool, long: bool) -> None:
    rows = [row for row in clean_json(page["items"]) if narrowed or whole or words.group_of(row) not in AWAY]
    screen = session.screen
    if not screen.live:
        print_tabs([_cell(row, name) for name in COLUMNS] for row in rows)
        return
    view = Inbox(screen, session.outside.now(), long=long)
    if flat:
        view.rows(rows)
    else:
        view.groups(rows, folded=() if narrowed or whole else (words.SKIP,))
    if not rows:
        _show_empty(session, narrowed)
    hints = _footer([] if narrowed or flat or whole else clean_json(page["items"]), bool(page.get("next_cursor")))
    if hints:
        screen.blank()
    for part in hints:
        screen.paragraph(part, "dim", first="  ")


def _show_empty(session: Session, narrowed: bool) -> None:
    if narrowed:
        session.screen.line("No items match.")
    else:
        session.screen.line('No items to read. Save one: readdo capture URL -i "why you want to read it"')


class Inbox:
    def __init__(self, screen: Screen, now: datetime, *, long: bool = False) -> None:
        self._screen, self._now, self._long = screen, now, long
        self._columns = screen.columns or 80

    def groups(self, rows: Sequence[Item], folded: Sequence[str] = ()) -> None:
        right = self._detail_width(rows)
        by_group = {name: [row for row in rows if words.group_of(row) == name] for name in words.GROUPS}
        for place, name in enumerate(name for name in words.GROUPS if by_group[name] and name not in folded):
            if place:
                self._screen.blank()
            self._screen.heading_of(name, len(by_group[name]), words.COLOURS[name])
            self.rows(by_group[name], right)

    def rows(self, rows: Sequence[Item], right: int | None = None) -> None:
        right = self._detail_width(rows) if right is None else right
        for row in rows:
            self._row(row, right)

    def _detail_width(self, rows: Sequence[Item]) -> int:
        return widest((self._detail(row) for row in rows), min(_RIGHT_MOST, self._columns // 4))

    def _row(self, row: Item, right: int) -> None:
        title_width = self._columns - _LEFT - (right + 2 if right else 0)
        title = fit(words.title_of(row), title_width)
        detail = cut(self._detail(row), right)
        colour = words.COLOURS[words.group_of(row)]
        self._screen.line(
            ("  " + short(str(row["id"])), "bold"),
            (f"{_mark(row):>7}  ", colour),
            title,
            ("  " + detail, "dim"),
        )
        self._second_line(str(row.get("intent_text", "")), "italic dim")
        if words.failed(row):
            self._second_line(self._failure_text(row), "red")
        elif self._long and row.get("first_reason"):
            self._second_line(_reason(row, self._columns - _LEFT), "")

    def _second_line(self, text: str, style: str) -> None:
        self._screen.line(" " * _LEFT, (cut(text, self._columns - _LEFT), style))

    def _detail(self, row: Item) -> str:
        if words.group_of(row) == words.IN_PROGRESS:
            return _progress(row, self._now)
        return str(row.get("domain", ""))

    def _failure_text(self, row: Item) -> str:
        failure = row.get("failure") or {}
        again = failure.get("next_retry_at")
        when = f"retry {time_format.until(again, self._now)}: " if again else ""
        return f"{when}{failure.get('message', 'failed')}"


def _mark(row: Item) -> str:
    if words.failed(row):
        return "✗"
    if words.group_of(row) == words.IN_PROGRESS:
        return "…"
    score = row.get("match_score")
    return f"{score:.1f}" if isinstance(score, int | float) else "–"


def _progress(row: Item, now: datetime) -> str:
    progress = row.get("progress")
    if not progress:
        return str(row["status"]).lower()
    started = time_format.read(progress.get("started_at"))
    ran = f", {time_format.ran((now - started).total_seconds())}" if started else ""
    return f"{progress['step']} {progress['done']}/{progress['of']}{ran}"


def _reason(row: Item, columns: int) -> str:
    more = row.get("more_reasons")
    rest = f" +{more} more" if more else ""
    return cut(str(row["first_reason"]), columns - cell_len(rest)) + rest


def _cell(row: Item, name: str) -> str:
    value = row.get(name)
    if name == "failure":
        value = (value or {}).get("message")
    return "" if value is None else str(value)


def _footer(rows: Sequence[Item], more: bool) -> list[str]:
    """Return hints for the rows that are not shown, and how to list them."""
    hints: list[str] = []
    counts = {name: sum(words.group_of(row) == name for row in rows) for name in words.GROUPS}
    if counts[words.SKIP]:
        hints.append(f"Skip: {counts[words.SKIP]} hidden (readdo list --priority skip)")
    if counts[words.SHIPPED] or counts[words.ARCHIVED]:
        hints.append("Done items: readdo list --status shipped --status archived")
    if more:
        hints.append("More items: readdo list --all")
    return hints
