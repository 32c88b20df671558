"""What changed between two versions: line by line, and within a line word by word, or letter by letter in Chinese."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

Piece = tuple[str, str]  # same, new or gone; and the text
Line = tuple[str, list[Piece]]  # the place it stands at, and its pieces
Lines = list[tuple[str, str]]
Run = tuple[bool, str, str]  # whether both have it; what was there, and what is there now
_WORD = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+")


def lines_of(kind: str, payload: Mapping[str, Any]) -> Lines:
    """The payload as a reader sees it: place → text."""
    return list(_OF[kind](payload))


def changes(before: Lines | None, after: Lines) -> list[Line]:
    if before is None:
        return [(place, [("same", text)]) for place, text in after]
    found: list[Line] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for how, i1, i2, j1, j2 in matcher.get_opcodes():
        if how == "equal":
            found += [(place, [("same", text)]) for place, text in after[j1:j2]]
        else:
            found += _paired(before[i1:i2], after[j1:j2])
    return found


def _paired(old: Lines, new: Lines) -> Iterator[Line]:
    """Lines at the same place are one that was changed; the others came or went."""
    for place, text in new:
        was = next((known for known in old if known[0] == place), None)
        yield place, _pieces(was[1], text) if was else [("new", text)]
        old = [known for known in old if known is not was]
    yield from ((place, [("gone", text)]) for place, text in old)


def _pieces(old: str, new: str) -> list[Piece]:
    a, b = _WORD.findall(old), _WORD.findall(new)
    runs = [
        (how == "equal", "".join(a[i1:i2]), "".join(b[j1:j2]))
        for how, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    ]
    told = ((("same", now),) if same else (("gone", was), ("new", now)) for same, was, now in _settled(runs))
    return [piece for pieces in told for piece in pieces if piece[1]]


def _settled(runs: Iterable[Run]) -> list[Run]:
    """A word that both have by chance between longer changes is no landmark: it is told with what changed around it."""
    kept: list[Run] = []
    for run in runs:
        kept.append(run)
        while len(kept) > 2 and _by_chance(*kept[-3:]):
            kept[-3:] = [(False, "".join(was for _, was, _ in kept[-3:]), "".join(now for *_, now in kept[-3:]))]
    return kept


def _by_chance(before: Run, between: Run, after: Run) -> bool:
    changed = min(max(len(was), len(now)) for _, was, now in (before, after))
    return between[0] and not before[0] and not after[0] and len(between[2].strip()) <= changed


def _numbered(name: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((f"{name} {place}", text) for place, text in enumerate(texts, start=1))


def _summary(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from _numbered("bullets", payload["bullets"])
    yield "insight", payload["insight"]


def _score(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "score", f"{payload['match_score']} · {payload['priority']}"
    yield from _numbered("reasons", payload["reasons"])


def _todos(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    told = [f"{one['title']} · {one['type']} · {one['eta']} · {one['priority']}" for one in payload["todos"]]
    yield from _numbered("todos", told)


def _card(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "headline", payload["headline"]
    yield from _numbered("points", payload["points"])
    for name in ("insight", "action", "caption"):
        yield name, payload[name]
    yield "hashtags", " ".join(f"#{tag}" for tag in payload["hashtags"])


_OF = {"summary": _summary, "score": _score, "todos": _todos, "card": _card}
