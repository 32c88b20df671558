"""An event as it lies in events/<room>/<case>.json, with its placeholders filled: "{item}" becomes the item's id."""

import json
import re
from pathlib import Path
from typing import Any

EVENTS = Path(__file__).resolve().parents[2] / "events"
_PLACE = re.compile(r"\{(\w+)\}")


def event(room: str, case: str, **values: Any) -> dict[str, Any]:
    found = json.loads((EVENTS / room / f"{case}.json").read_text(encoding="utf-8"))
    return {name: _filled(value, values) for name, value in found.items()}


def _filled(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(inner, values) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, values) for inner in value]
    if not isinstance(value, str):
        return value
    if whole := _PLACE.fullmatch(value):
        return values[whole[1]]
    return _PLACE.sub(lambda found: str(values[found[1]]), value)
