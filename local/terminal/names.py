"""Resolve the name of an item or a task: a full id, a beginning or end of one, or `@` for the newest."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from terminal import words
from terminal.api import Api
from terminal.failures import CommandFailure, missing, usage
from terminal.words import Item

if TYPE_CHECKING:
    from terminal.api import Api

_ITEM = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_TASK = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NEWEST = re.compile(r"@(\d{0,3})")
# Ids contain no I, L or O (Crockford base 32): map them to the digits that look like them.
_MISREAD = str.maketrans("ILO", "110")
LEAST, SURE, PAGE = 4, 6, 100
_LISTED = 5
_ALL_TASKS = "List all tasks: readdo task list --all"


def find(api: "Api", name: str) -> str:
    newest = _NEWEST.fullmatch(name)
    if newest:
        return _nth(api, int(newest[1] or 1))
    fragment = name.strip().upper().translate(_MISREAD)
    if _ITEM.fullmatch(fragment):
        return fragment
    if len(fragment) < LEAST or not re.fullmatch(r"[0-9A-Z]+", fragment):
        raise usage(
            f"{name!r} is not an id. Use at least {LEAST} characters of its end or beginning, or @ for the newest.",
            "List the ids: readdo list",
        )
    matches = [(str(row["id"]), words.title_of(row)) for row in _matches(api, fragment)]
    return _only(matches, name, "item", "List all items: readdo list --all")


def find_all(api: "Api", names: tuple[str, ...]) -> list[str]:
    """Resolve all names, without duplicates and in order."""
    return list(dict.fromkeys(find(api, name) for name in names))


def _nth(api: "Api", number: int) -> str:
    if not 1 <= number <= PAGE:
        raise usage(f"@{number} is out of range. Use @1 (the newest) to @{PAGE}.")
    rows = api.get("/items", {"sort": "created_desc", "limit": number}).data.get("items", [])
    if len(rows) < number:
        message = f"There are only {len(rows)} items." if rows else "No items yet."
        raise missing(message, 'Save one: readdo capture URL -i "why"')
    return str(rows[number - 1]["id"])


def _matches(api: "Api", fragment: str) -> list[Item]:
    """Return all matching items, to detect ambiguity. Six characters of its random end count as unique."""
    matches: list[Item] = []
    for rows in _pages(api, "items", sort="created_desc"):
        matches += [row for row in rows if str(row["id"]).startswith(fragment) or str(row["id"]).endswith(fragment)]
        if len(fragment) >= SURE and matches and str(matches[0]["id"]).endswith(fragment):
            break
    return matches


def find_task(api: "Api", name: str) -> str:
    fragment = name.strip().lower()
    if _TASK.fullmatch(fragment):
        return fragment
    tasks = (row for rows in _pages(api, "tasks") for row in rows)
    if newest := _NEWEST.fullmatch(fragment):
        return _nth_task(list(tasks), int(newest[1] or 1))
    if len(fragment) < LEAST or not re.fullmatch(r"[0-9a-f-]+", fragment):
        raise usage(
            f"{name!r} is not a task id. Use at least {LEAST} characters of its beginning or end, or @ for the newest.",
            "List the ids: readdo task list",
        )
    candidates = ((str(row["id"]), words.task_title(row)) for row in tasks)
    matches = [one for one in candidates if one[0].startswith(fragment) or one[0].endswith(fragment)]
    return _only(matches, name, "task", _ALL_TASKS)


def _nth_task(rows: list[Item], number: int) -> str:
    """Return the nth newest task. The API lists tasks by priority, so all of them are fetched."""
    rows.sort(key=lambda row: str(row["created_at"]), reverse=True)
    if not 1 <= number <= len(rows):
        message = f"There are only {len(rows)} tasks." if rows else "No tasks yet."
        raise missing(message, _ALL_TASKS if rows else 'Add one: readdo task add INTENT --title "…"')
    return str(rows[number - 1]["id"])


def _pages(api: "Api", name: str, **query: str) -> Iterator[list[Item]]:
    """Return the pages of the list of items or tasks."""
    cursor = ""
    while True:
        page = api.get(f"/{name}", {**query, "limit": PAGE, "cursor": cursor}).data
        yield page.get(name, [])
        cursor = page.get("next_cursor") or ""
        if not cursor:
            return


def _only(matches: list[tuple[str, str]], name: str, what: str, see: str) -> str:
    """Return the only match, or fail with the candidates and their titles."""
    if not matches:
        raise missing(f"No {what} has an id that begins or ends with {name!r}.", see)
    if len(matches) > 1:
        more = [f"… and {len(matches) - _LISTED} more"] if len(matches) > _LISTED else []
        listed = [f"{row_id}  {title}"[:76] for row_id, title in matches[:_LISTED]]
        message = f"{name!r} matches {len(matches)} {what}s. Use more characters of the id:"
        raise CommandFailure(message, *listed, *more, exit_code=2, code="AMBIGUOUS")
    return matches[0][0]
