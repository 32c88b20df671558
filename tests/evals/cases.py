"""Load cases from files with one case, a JSON list, or one case per line.

Required are `id`, `source_type`, `intent_text` and `extracted_text`; `title`, `domain` and `language` are optional.
A case with `text_of` has the text, the title, the domain and the source type of the case with this id.
The evals add `kind`; `gold`, the facts that a good summary mentions, each with its possible wordings; and `expect`:

    score_min, score_max   allowed range of the score
    outscores              {id, by}: the same text with a foreign intent, which must score this much lower
    task_types             types that at least one task must have
    mentions, absent       words of each group of which one must occur; words that must not occur
    fails                  the error code with which an honest engine fails
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import Any

from .rubric import Case
from .runner_errors import RunnerError

HERE = Path(__file__).parent / "cases"
DEFAULT = str(HERE / "*.json")
_REQUIRED = ("id", "source_type", "intent_text", "extracted_text")
_STRINGS = ("title", "domain", "language", "kind")


def load(patterns: Sequence[str]) -> list[Case]:
    # glob instead of Path.glob, which accepts no absolute pattern.
    paths = sorted({Path(name) for pattern in patterns for name in glob(pattern, recursive=True)})  # noqa: PTH207
    cases = [case for path in paths if path.is_file() for case in _read(path)]
    cases = _with_texts(cases)
    if not cases:
        raise RunnerError(f"No cases match {' '.join(patterns)}.")
    ids: set[str] = set()
    for case in cases:
        if case.id in ids:
            raise RunnerError(f"Two cases have the id {case.id}.")
        ids.add(case.id)
    return cases


def _with_texts(cases: Sequence[Case]) -> list[Case]:
    by_id = {case.id: case for case in cases}
    missing = [case.id for case in cases if case.text_of and case.text_of not in by_id]
    if missing:
        raise RunnerError(f"Case {missing[0]}: text_of names no loaded case.")
    return [_with_text(case, by_id[case.text_of]) if case.text_of else case for case in cases]


def _with_text(case: Case, source: Case) -> Case:
    return replace(case, text=source.text, title=source.title, domain=source.domain, source_type=source.source_type)


def _read(path: Path) -> list[Case]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RunnerError(f"{path} cannot be read: {error}.") from error
    values = _values(text, path)
    return [
        _case(value, f"{path}, case {number}" if len(values) > 1 else str(path))
        for number, value in enumerate(values, 1)
    ]


def _values(text: str, path: Path) -> list[Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        try:
            return [json.loads(line) for line in lines]
        except json.JSONDecodeError:
            raise RunnerError(f"{path} is neither JSON nor one JSON object per line: {error}.") from error
    if isinstance(value, Mapping) and isinstance(value.get("cases"), list):
        value = value["cases"]
    return value if isinstance(value, list) else [value]


def _case(value: Any, where: str) -> Case:
    if not isinstance(value, Mapping):
        raise RunnerError(f"{where}: a case must be a JSON object with {', '.join(_REQUIRED)}.")
    text_of = str(value.get("text_of") or "")
    value = {**dict.fromkeys(("source_type", "extracted_text"), text_of), **value} if text_of else value
    for name in _REQUIRED:
        if not isinstance(value.get(name), str) or not value[name].strip():
            raise RunnerError(f"{where}: {name} is missing or empty.")
    optional = {name: value.get(name) or "" for name in _STRINGS}
    invalid = [name for name, text in optional.items() if not isinstance(text, str)]
    expect, gold = value.get("expect") or {}, _facts(value.get("gold") or [])
    invalid += ["expect"] if not isinstance(expect, Mapping) else []
    invalid += ["gold"] if gold is None else []
    if invalid:
        raise RunnerError(f"{where}: {invalid[0]} has the wrong type.")
    names = dict(zip(("id", "source_type", "intent", "text"), (value[name] for name in _REQUIRED), strict=True))
    return Case(**{**names, **optional, "expect": expect, "gold": gold or [], "text_of": text_of})


def _facts(gold: Any) -> list[list[str]] | None:
    """Return each fact as a list of wordings, or None if the value is malformed."""
    if not isinstance(gold, list):
        return None
    facts: list[Any] = [[fact] if isinstance(fact, str) else fact for fact in gold]
    valid = all(isinstance(ways, list) and all(isinstance(way, str) for way in ways) for ways in facts)
    return facts if valid else None
