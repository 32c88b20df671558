"""Print the list of items: on a terminal in groups, in a pipe as tab-separated lines."""

from collections.abc import Sequence
from datetime import datetime

from terminal import time_format, words
from terminal.screen import Screen
from terminal.text import cut, pad, widest, width
from terminal.words import Item, short

COLUMNS = (
    "id",
    "status",
    "priority",
    "match_score",
    "source_type",
    "created_at",
    "domain",
    "title",
    "intent_text",
    "failure",
    "url",
)
_LEFT = 17  # margin, id, score and the spaces between
_RIGHT_MOST = 22


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
        title = pad(cut(words.title_of(row), title_width), title_width)
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
    return cut(str(row["first_reason"]), columns - width(rest)) + rest


def lines(rows: Sequence[Item]) -> list[str]:
    """Format rows as tab-separated lines with fixed columns, untruncated, for `cut -f` and `awk`."""
    return ["\t".join(_cell(row, name) for name in COLUMNS) for row in rows]


def _cell(row: Item, name: str) -> str:
    value = row.get(name)
    if name == "failure":
        value = (value or {}).get("message")
    return "" if value is None else str(value)


def footer(rows: Sequence[Item], more: bool) -> list[str]:
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
