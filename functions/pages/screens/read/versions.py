"""The page of an artifact's versions, with the changes of each."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.lifecycle.item import SET
from readdo.read import artifacts, views
from readdo.web.errors import not_found
from screens import html_response
from screens.page_auth import visit_of
from screens.page_request import ITEM
from screens.read.item import find

Piece = tuple[str, str]  # "same", "new" or "gone"; the text
Line = tuple[str, list[Piece]]  # place; pieces
Lines = list[tuple[str, str]]
Run = tuple[bool, str, str]  # same in both; old text; new text
_WORD = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+")
router = APIGatewayHttpRouter()


def lines_of(kind: str, payload: Mapping[str, Any]) -> Lines:
    """The payload as displayed: (place, text)."""
    return list(_OF[kind](payload))


def changes(before: Lines | None, after: Lines) -> list[Line]:
    if before is None:
        return [(place, [("same", text)]) for place, text in after]
    lines: list[Line] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            lines += [(place, [("same", text)]) for place, text in after[j1:j2]]
        else:
            lines += _pair(before[i1:i2], after[j1:j2])
    return lines


def _pair(old: Lines, new: Lines) -> Iterator[Line]:
    """Pair lines at the same place as changed. Other lines are new or gone."""
    for place, text in new:
        previous = next((line for line in old if line[0] == place), None)
        yield place, _pieces(previous[1], text) if previous else [("new", text)]
        old = [line for line in old if line is not previous]
    yield from ((place, [("gone", text)]) for place, text in old)


def _pieces(old: str, new: str) -> list[Piece]:
    a, b = _WORD.findall(old), _WORD.findall(new)
    runs = [
        (tag == "equal", "".join(a[i1:i2]), "".join(b[j1:j2]))
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    ]
    pieces_of_runs = (
        (("same", now),) if same else (("gone", was), ("new", now)) for same, was, now in _merge_short_matches(runs)
    )
    return [piece for pieces in pieces_of_runs for piece in pieces if piece[1]]


def _merge_short_matches(runs: Iterable[Run]) -> list[Run]:
    """Merge a short common text between longer changes into these changes."""
    merged: list[Run] = []
    for run in runs:
        merged.append(run)
        while len(merged) > 2 and _is_short_match(*merged[-3:]):
            merged[-3:] = [(False, "".join(was for _, was, _ in merged[-3:]), "".join(now for *_, now in merged[-3:]))]
    return merged


def _is_short_match(before: Run, between: Run, after: Run) -> bool:
    changed = min(max(len(was), len(now)) for _, was, now in (before, after))
    return between[0] and not before[0] and not after[0] and len(between[2].strip()) <= changed


def _number(name: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((f"{name} {place}", text) for place, text in enumerate(texts, start=1))


def _summary(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from _number("bullets", payload["bullets"])
    yield "insight", payload["insight"]


def _score(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "score", f"{payload['match_score']} · {payload['priority']}"
    yield from _number("reasons", payload["reasons"])


def _todos(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    lines = [f"{todo['title']} · {todo['type']} · {todo['eta']} · {todo['priority']}" for todo in payload["todos"]]
    yield from _number("todos", lines)


def _card(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "headline", payload["headline"]
    yield from _number("points", payload["points"])
    for name in ("insight", "action", "caption"):
        yield name, payload[name]
    yield "hashtags", " ".join(f"#{tag}" for tag in payload["hashtags"])


_OF = {"summary": _summary, "score": _score, "todos": _todos, "card": _card}


@router.get(f"{ITEM}/versions/<kind>")
def get_versions(raw_id: str, kind: str) -> Response[str]:
    visit = visit_of(router)
    if kind not in SET:
        raise not_found("kind of version")
    row = find(visit, raw_id)
    listed = artifacts.versions(visit.table, row).get(kind, [])
    return html_response.page(
        visit, "versions.html", item=views.item(row), kind=kind, versions=_with_changes(kind, listed)
    )


def _with_changes(kind: str, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Versions, newest first, with their changes. The oldest listed version has none."""
    previous = [*listed[1:], None]
    return [
        {
            **version,
            "lines": changes(lines_of(kind, older["payload"]) if older else None, lines_of(kind, version["payload"])),
        }
        for version, older in zip(listed, previous, strict=True)
    ]
