"""Resolve a task's name: a full id, a beginning or end of one, or `@` for the newest."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from terminal.desk.words import Row, title_of
from terminal.failures import missing, usage
from terminal.names import only

if TYPE_CHECKING:
    from terminal.api import Api

_WHOLE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NEWEST = re.compile(r"@(\d{0,3})")
LEAST, PAGE = 4, 100
_SEE = "List all tasks: readdo task list --all"


def find(api: "Api", name: str) -> str:
    fragment = name.strip().lower()
    if _WHOLE.fullmatch(fragment):
        return fragment
    if newest := _NEWEST.fullmatch(fragment):
        return _nth(api, int(newest[1] or 1))
    if len(fragment) < LEAST or not re.fullmatch(r"[0-9a-f-]+", fragment):
        raise usage(
            f"{name!r} is not a task id. Use at least {LEAST} characters of its beginning or end, or @ for the newest.",
            "List the ids: readdo task list",
        )
    candidates = [(str(row["id"]), title_of(row)) for row in tasks(api)]
    return only(
        [one for one in candidates if one[0].startswith(fragment) or one[0].endswith(fragment)], name, "task", _SEE
    )


def tasks(api: "Api") -> Iterator[Row]:
    cursor = ""
    while True:
        page = api.get("/tasks", {"limit": PAGE, "cursor": cursor}).data
        yield from page.get("tasks", [])
        cursor = page.get("next_cursor") or ""
        if not cursor:
            return


def _nth(api: "Api", number: int) -> str:
    """Return the nth newest task. The API lists tasks by priority, so all of them are fetched."""
    rows = sorted(tasks(api), key=lambda row: str(row["created_at"]), reverse=True)
    if not 1 <= number <= len(rows):
        message = f"There are only {len(rows)} tasks." if rows else "No tasks yet."
        raise missing(message, _SEE if rows else 'Add one: readdo task add INTENT --title "…"')
    return str(rows[number - 1]["id"])
