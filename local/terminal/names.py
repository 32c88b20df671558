"""Which item is meant: a whole id, an end or a beginning of one, or `@` for the newest."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from terminal import words
from terminal.failures import CommandFailure, missing, usage
from terminal.words import Item

if TYPE_CHECKING:
    from terminal.api import Api

_WHOLE = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_NEWEST = re.compile(r"@(\d{0,3})")
# An id has no I, L, O: whoever reads them has misread.
_MISREAD = str.maketrans("ILO", "110")
LEAST, SURE, PAGE = 4, 6, 100
_TOLD = 5


def find(api: "Api", name: str) -> str:
    newest = _NEWEST.fullmatch(name)
    if newest:
        return _nth(api, int(newest[1] or 1))
    asked = name.strip().upper().translate(_MISREAD)
    if _WHOLE.fullmatch(asked):
        return asked
    if len(asked) < LEAST or not re.fullmatch(r"[0-9A-Z]+", asked):
        raise usage(
            f"{name!r} is no id. Give at least {LEAST} letters of its end or beginning, or @ for the newest.",
            "The ids are in: readdo list",
        )
    found = [(str(row["id"]), words.title_of(row)) for row in _matches(api, asked)]
    return only(found, name, "item", "See what is there: readdo list --all")


def find_all(api: "Api", names: tuple[str, ...]) -> list[str]:
    """Each once, in the order given."""
    return list(dict.fromkeys(find(api, name) for name in names))


def _nth(api: "Api", number: int) -> str:
    if not 1 <= number <= PAGE:
        raise usage(f"@{number} is out of reach: @1 is the newest, @{PAGE} the oldest that can be named so.")
    rows = api.get("/items", {"sort": "created_desc", "limit": number}).data.get("items", [])
    if len(rows) < number:
        there = f"There are only {len(rows)} items." if rows else "There is no item yet."
        raise missing(there, 'Save one: readdo capture URL -i "why"')
    return str(rows[number - 1]["id"])


def _matches(api: "Api", asked: str) -> list[Item]:
    """All of them, so that one that is named is the only one. The end of an id is chance: six letters are sure."""
    found: list[Item] = []
    for rows in _pages(api):
        found += [row for row in rows if str(row["id"]).startswith(asked) or str(row["id"]).endswith(asked)]
        if len(asked) >= SURE and found and str(found[0]["id"]).endswith(asked):
            break
    return found


def _pages(api: "Api") -> Iterator[list[Item]]:
    cursor = ""
    while True:
        page = api.get("/items", {"sort": "created_desc", "limit": PAGE, "cursor": cursor}).data
        yield page.get("items", [])
        cursor = page.get("next_cursor") or ""
        if not cursor:
            return


def only(found: list[tuple[str, str]], name: str, what: str, see: str) -> str:
    """Of ids with their titles the one that is meant."""
    if not found:
        raise missing(f"No {what}'s id begins or ends with {name!r}.", see)
    if len(found) > 1:
        more = [f"… and {len(found) - _TOLD} more"] if len(found) > _TOLD else []
        listed = [f"{row_id}  {title}"[:76] for row_id, title in found[:_TOLD]]
        said = f"{name!r} could be {len(found)} {what}s. Give more of the id:"
        raise CommandFailure(said, *listed, *more, exit_code=2, code="AMBIGUOUS")
    return found[0][0]
