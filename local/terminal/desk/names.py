"""Which task is meant: a whole id, a beginning or an end of one, or `@` for the newest."""

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
_SEE = "See what is there: readdo task list --all"


def find(api: "Api", name: str) -> str:
    asked = name.strip().lower()
    if _WHOLE.fullmatch(asked):
        return asked
    if newest := _NEWEST.fullmatch(asked):
        return _nth(api, int(newest[1] or 1))
    if len(asked) < LEAST or not re.fullmatch(r"[0-9a-f-]+", asked):
        raise usage(
            f"{name!r} is no task's id. Give at least {LEAST} letters of its beginning or end, or @ for the newest.",
            "The ids are in: readdo task list",
        )
    there = [(str(row["id"]), title_of(row)) for row in tasks(api)]
    return only([one for one in there if one[0].startswith(asked) or one[0].endswith(asked)], name, "task", _SEE)


def tasks(api: "Api") -> Iterator[Row]:
    cursor = ""
    while True:
        page = api.get("/tasks", {"limit": PAGE, "cursor": cursor}).data
        yield from page.get("tasks", [])
        cursor = page.get("next_cursor") or ""
        if not cursor:
            return


def _nth(api: "Api", number: int) -> str:
    """The list is by urgency, so the newest is found by looking at all."""
    rows = sorted(tasks(api), key=lambda row: str(row["created_at"]), reverse=True)
    if not 1 <= number <= len(rows):
        there = f"There are {len(rows)} tasks: @1 is the newest of them." if rows else "There is no task yet."
        raise missing(there, _SEE if rows else 'Add one: readdo task add INTENT --title "…"')
    return str(rows[number - 1]["id"])
