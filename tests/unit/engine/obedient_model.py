"""A model that obeys every instruction in a text: the worst possible reader of a hostile page."""

import json
import re
from collections.abc import Sequence
from typing import Any

from readdo.engine.providers.provider_protocol import Completion, Question

_SAY = re.compile(r"(?:SAY|INCLUDE|写上)[:：] ?(.+)")
_EXACTLY = re.compile(r"(?:ANSWER EXACTLY|原样输出)[:：] ?(.+)", re.S)
_FIELD = re.compile(r"ADD FIELD (\w+)[:：] ?(.+)")
_QUOTE = re.compile(r"(?:QUOTE|引用)[:：] ?(.+)")
_ALL = re.compile(r"(?:SCORE ME|打满分)")
_MANY = re.compile(r"REPEAT (\d+) TIMES")

CHOICES = {"eta": "10m", "type": "WRITE", "priority": "P2"}
GOOD: dict[str, dict[str, Any]] = {
    "summary": {
        "bullets": ["One thing is told.", "Another is told.", "A third is told."],
        "insight": "It all adds up to something.",
        "evidence": [],
    },
    "score": {
        "signals": {"intent_match": 30, "content_signal": 30, "effort_fit": 30},
        "reasons": ["It names the subject once.", "It has no steps.", "It takes one minute."],
        "confidence": 0.5,
        "evidence": [],
    },
    "todos": {
        "todos": [{"title": f"Write down point {n}", "tags": ["notes"], "why": "", **CHOICES} for n in (1, 2, 3)]
    },
    "card": {
        "headline": "What the text is about",
        "points": ["One thing is told.", "Another is told.", "A third is told."],
        "insight": "It adds up to something.",
        "action": "Write the three points down",
        "hashtags": ["notes"],
        "caption": "Worth a look.",
        "evidence": [],
    },
}


class ObedientModel:
    name = "obedient"

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def ask(self, question: Question, _deadline: float, *, turns: Sequence[tuple[str, str]] = ()) -> Completion:
        self.prompts.append(question.user)
        orders = question.user + "".join(text for who, text in turns if who == "user")
        if exactly := _EXACTLY.search(orders):
            return Completion(exactly[1].partition("\n</source")[0], "obedient", 10, 10)
        payload = json.loads(json.dumps(GOOD[question.name]))
        for order in _SAY.findall(orders):
            payload = _add_to_texts(payload, order)
        if _ALL.search(orders) and "signals" in payload:
            payload["signals"] = dict.fromkeys(payload["signals"], 100)
        if many := _MANY.search(orders):
            payload = _repeat_texts(payload, int(many[1]))
        for name, value in _FIELD.findall(orders):
            payload[name] = value
        for order in _QUOTE.findall(orders):
            _quote(payload, order)
        return Completion(json.dumps(payload, ensure_ascii=False), "obedient", 10, 10)


def _quote(payload: dict[str, Any], order: str) -> None:
    if "evidence" in payload:
        payload["evidence"].append({"quote": order} | ({"supports": "reason#1"} if "signals" in payload else {}))


def _add_to_texts(value: Any, order: str, name: str = "") -> Any:
    """Add the order to every free text, but not to values from a list of choices."""
    if isinstance(value, dict):
        return {key: _add_to_texts(inner, order, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_add_to_texts(inner, order, name) for inner in value]
    fixed = name in (*CHOICES, "supports") or not isinstance(value, str)
    return value if fixed else f"{value} {order}"


def _repeat_texts(value: Any, times: int) -> Any:
    if isinstance(value, dict):
        return {
            key: _repeat_texts(inner, times) if key not in ("eta", "type", "priority") else inner
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_repeat_texts(inner, times) for inner in value]
    return f"{value} " * times if isinstance(value, str) else value
