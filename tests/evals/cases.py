"""Cases from files: one case a file, a list of them, or one a line.

Needed are `id`, `source_type`, `intent_text` and `extracted_text`; `title`, `domain` and `language` may be there. What
only these evals know: `kind`; `gold`, the facts that a good summary tells, each with the ways to put it; and `expect`:

    score_min, score_max   where the score must lie
    outscores              {id, by}: the case of a foreign intent that it must leave behind, and by how much
    task_types             kinds of which a task must be there
    mentions, absent       words of which one each must be said; words that must be nowhere
    fails                  the error code with which an honest engine gives up
"""

import json
from collections.abc import Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any

from .rubric import Case
from .runner_errors import Told

HERE = Path(__file__).parent / "cases"
DEFAULT = str(HERE / "*.json")
_NEEDED = ("id", "source_type", "intent_text", "extracted_text")
_STRINGS = ("title", "domain", "language", "kind")


def load(patterns: Sequence[str]) -> list[Case]:
    # glob and not Path.glob, which takes no absolute pattern.
    paths = sorted({Path(found) for one in patterns for found in glob(one, recursive=True)})  # noqa: PTH207
    cases = [case for path in paths if path.is_file() for case in _read(path)]
    if not cases:
        raise Told(f"No case matches {' '.join(patterns)}.")
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise Told(f"Two cases have the id {case.id}.")
        seen.add(case.id)
    return cases


def _read(path: Path) -> list[Case]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as odd:
        raise Told(f"{path} cannot be read: {odd}.") from odd
    found = _values(text, path)
    return [
        _case(value, f"{path}, case {number}" if len(found) > 1 else str(path)) for number, value in enumerate(found, 1)
    ]


def _values(text: str, path: Path) -> list[Any]:
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as odd:
        lines = [line for line in text.split("\n") if line.strip()]
        try:
            return [json.loads(line) for line in lines]
        except json.JSONDecodeError:
            raise Told(f"{path} is neither JSON nor one JSON object a line: {odd}.") from odd
    if isinstance(whole, Mapping) and isinstance(whole.get("cases"), list):
        whole = whole["cases"]
    return whole if isinstance(whole, list) else [whole]


def _case(value: Any, where: str) -> Case:
    if not isinstance(value, Mapping):
        raise Told(f"{where}: a case is a JSON object with {', '.join(_NEEDED)}.")
    for name in _NEEDED:
        if not isinstance(value.get(name), str) or not value[name].strip():
            raise Told(f"{where}: {name} is missing or no text.")
    more = {name: value.get(name) or "" for name in _STRINGS}
    odd = [name for name, told in more.items() if not isinstance(told, str)]
    expect, gold = value.get("expect") or {}, _facts(value.get("gold") or [])
    odd += ["expect"] if not isinstance(expect, Mapping) else []
    odd += ["gold"] if gold is None else []
    if odd:
        raise Told(f"{where}: {odd[0]} is not of its form.")
    names = dict(zip(("id", "source_type", "intent", "text"), (value[name] for name in _NEEDED), strict=True))
    return Case(**{**names, **more, "expect": expect, "gold": gold or []})


def _facts(gold: Any) -> list[list[str]] | None:
    """A fact is one wording or a list of them; None if it is neither."""
    if not isinstance(gold, list):
        return None
    facts: list[Any] = [[fact] if isinstance(fact, str) else fact for fact in gold]
    fine = all(isinstance(ways, list) and all(isinstance(way, str) for way in ways) for ways in facts)
    return facts if fine else None
