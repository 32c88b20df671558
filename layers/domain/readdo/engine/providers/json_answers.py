"""Extract the JSON object from a model's response.

Models add reasoning, code fences, greetings and explanations. If there are several complete objects, the last one is
used. Its content is untrusted, so size, depth and characters are limited.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from readdo.engine.providers.provider_errors import failed
from readdo.engine.providers.provider_protocol import Completion

TEXT_MAX = 200_000
DEPTH_MAX = 16
MISSES_MAX = 100  # each costs another scan of the text
_OPENS = re.compile(r"\{(?=\s*[\"}])")
_PARTS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[{}]', re.DOTALL)
_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_TOO_DEEP = f"The JSON is nested deeper than {DEPTH_MAX} levels. Follow the schema."
_TOKENS_MAX = 100_000_000


class UnreadableAnswer(Exception):
    """The message is written for the model: how to correct the response."""


def parse_answer(text: str) -> dict[str, Any]:
    if len(text) > TEXT_MAX:
        raise UnreadableAnswer(f"The answer was longer than {TEXT_MAX} characters. Answer more briefly.")
    payload = _last_object(strip_reasoning(text))
    _check_limits(payload)
    return payload


def strip_reasoning(text: str) -> str:
    """The response without reasoning tags. Tags within strings of the JSON object stay."""
    text = text.lstrip("\ufeff \t\r\n")
    at = 0
    while begins := _THOUGHT.match(text, at):
        ends = _THOUGHT_ENDS.search(text, begins.end())
        if not ends:
            return ""  # only reasoning, no response
        at = ends.end()
    text = text[at:]
    # Some servers omit the opening tag.
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
    decoder = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_no_number, parse_float=_finite)
    payload: dict[str, Any] | None = None
    wrong = "There was no JSON object in the answer."
    at, misses = 0, 0
    while misses < MISSES_MAX and (opens := _OPENS.search(text, at)):
        try:
            payload, at = decoder.raw_decode(text, opens.start())
        except json.JSONDecodeError as error:
            misses += 1
            wrong = f"The JSON in the answer cannot be read: {error.msg}."
            ends = _end(text, opens.start())
            if ends is None:
                payload = None  # the last object is incomplete, and an earlier one may be a draft
                break
            at = ends
        except RecursionError:
            raise UnreadableAnswer(_TOO_DEEP) from None
        except ValueError as error:  # a number with thousands of digits
            raise UnreadableAnswer("A number in the JSON has too many digits.") from error
    if payload is None:
        raise UnreadableAnswer(f"{wrong} Answer with one whole JSON object and nothing else.")
    return payload


def _end(text: str, start: int) -> int | None:
    """The end of the object that begins at `start`, so that no part of a broken object is used."""
    depth = 0
    for part in _PARTS.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(part[0], 0)
        if depth == 0:
            return part.end()
    return None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        # Either of the two values may be the intended one.
        raise UnreadableAnswer("A key stands twice in one JSON object. Give each key once.")
    return fields


def _no_number(word: str) -> None:
    raise UnreadableAnswer(f"{word} is not a number in JSON.")


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise UnreadableAnswer("A number in the JSON is too large.")
    return number


def _check_limits(payload: dict[str, Any]) -> None:
    level: list[Any] = [payload]
    for _ in range(DEPTH_MAX):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            break
    else:
        raise UnreadableAnswer(_TOO_DEEP)
    try:
        json.dumps(payload, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise UnreadableAnswer("A string in the JSON holds half a character (a lone surrogate).") from None


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def text_of(value: Any) -> str:
    """The text of a content field. Some servers send it as a list of parts."""
    if isinstance(value, list):
        return "".join(text_of(as_mapping(part).get("text")) for part in value)
    return value if isinstance(value, str) else ""


def token_count(value: Any) -> int:
    return value if type(value) is int and 0 <= value <= _TOKENS_MAX else 0


def check_completion(answer: Completion, ended: str | None, refused: bool, who: str) -> Completion:
    kind = ended or ("declined" if refused else None if answer.text.strip() else "empty")
    if kind:
        raise failed(kind, who, debug=f"served by {answer.model[:60]}", answers=(answer,))
    return answer
