"""Load an event from events/<function>/<case>.json; "{item}" becomes the item's id."""

import json
import re
from pathlib import Path
from typing import Any

EVENTS = Path(__file__).resolve().parents[2] / "events"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def event(function: str, case: str, **values: Any) -> dict[str, Any]:
    template = json.loads((EVENTS / function / f"{case}.json").read_text(encoding="utf-8"))
    return {name: _fill(value, values) for name, value in template.items()}


def _fill(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {name: _fill(inner, values) for name, inner in value.items()}
    if isinstance(value, list):
        return [_fill(inner, values) for inner in value]
    if not isinstance(value, str):
        return value
    if placeholder := _PLACEHOLDER.fullmatch(value):
        return values[placeholder[1]]
    return _PLACEHOLDER.sub(lambda match: str(values[match[1]]), value)
