"""From what a model said to the one JSON object that was asked for.

Models think aloud, fence their code, greet and explain. The object is looked for, not the form around it: of several
that are whole, the last is meant. What it holds is still hostile: its size, its depth and its letters have limits.
"""

import json
import math
import re
from typing import Any

TEXT_MAX = 200_000
DEPTH_MAX = 16
MISSES_MAX = 100  # each costs a look at all that came before
_OPENS = re.compile(r"\{(?=\s*[\"}])")
_PARTS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[{}]', re.DOTALL)
_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


class UnreadableAnswer(Exception):
    """Its text is written for the model: what to do better."""


def parse_answer(text: str) -> dict[str, Any]:
    if len(text) > TEXT_MAX:
        raise UnreadableAnswer(f"The answer was longer than {TEXT_MAX} characters. Answer more briefly.")
    found = _last_object(spoken(text))
    _bounded(found)
    return found


def spoken(text: str) -> str:
    """Without the thinking before it. A tag within the answer's own strings is part of the answer."""
    text = text.lstrip("\ufeff \t\r\n")
    at = 0
    while begins := _THOUGHT.match(text, at):
        ends = _THOUGHT_ENDS.search(text, begins.end())
        if not ends:
            return ""  # it never came to speak
        at = ends.end()
    text = text[at:]
    # Some servers swallow the opening tag.
    closes = _THOUGHT_ENDS.search(text)
    return text[closes.end() :] if closes and not _in_an_object(text, closes.start()) else text


def _in_an_object(text: str, place: int) -> bool:
    at = 0
    while (opens := _OPENS.search(text, at)) and opens.start() < place:
        at = _end(text, opens.start()) or len(text)
        if at > place:
            return True
    return False


def _last_object(text: str) -> dict[str, Any]:
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite)
    found: dict[str, Any] | None = None
    wrong = "There was no JSON object in the answer."
    at, misses = 0, 0
    while misses < MISSES_MAX and (opens := _OPENS.search(text, at)):
        try:
            found, at = decoder.raw_decode(text, opens.start())
        except json.JSONDecodeError as error:
            misses += 1
            wrong = f"The JSON in the answer cannot be read: {error.msg}."
            ends = _end(text, opens.start())
            if ends is None:
                found = None  # what came last was not finished, and a draft before it is not what was meant
                break
            at = ends
        except RecursionError:
            raise UnreadableAnswer(_TOO_DEEP) from None
        except ValueError as error:  # a number of thousands of digits
            raise UnreadableAnswer("A number in the JSON has too many digits.") from error
    if found is None:
        raise UnreadableAnswer(f"{wrong} Answer with one whole JSON object and nothing else.")
    return found


def _end(text: str, start: int) -> int | None:
    """Behind the object that begins at `start`; so a part of a broken object is never taken for an answer."""
    depth = 0
    for part in _PARTS.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(part[0], 0)
        if depth == 0:
            return part.end()
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        # Which of the two was meant is not ours to guess.
        raise UnreadableAnswer("A key stands twice in one JSON object. Give each key once.")
    return made


def _no_number(word: str) -> None:
    raise UnreadableAnswer(f"{word} is not a number in JSON.")


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise UnreadableAnswer("A number in the JSON is too large.")
    return number


_TOO_DEEP = f"The JSON is nested deeper than {DEPTH_MAX} levels. Follow the schema."


def _bounded(found: dict[str, Any]) -> None:
    level: list[Any] = [found]
    for _ in range(DEPTH_MAX):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            break
    else:
        raise UnreadableAnswer(_TOO_DEEP)
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise UnreadableAnswer("A string in the JSON holds half a character (a lone surrogate).") from None


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
