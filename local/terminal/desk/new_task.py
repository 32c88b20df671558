"""What is said of a new task on the line, as the API takes it."""

import json
import sys
from pathlib import Path
from typing import Any

from terminal.failures import usage

_GIVEN = ("title", "priority", "project", "due_date", "timeout_seconds", "max_retries", "hold", "id")


def body(intent: str, payload: str | None, **given: Any) -> dict[str, Any]:
    """Only what was said; for the rest the API has its own words."""
    found = {name: given[name] for name in _GIVEN if given.get(name) not in (None, "", False)}
    found |= {name: list(given[name]) for name in ("depends_on", "tags") if given.get(name)}
    return {"intent": intent, **found, **({"payload": _payload(payload)} if payload is not None else {})}


def _payload(given: str) -> Any:
    where = "The payload" if not given.startswith("@") else f"What is in {given[1:]}"
    try:
        found = json.loads(_text(given))
    except OSError as error:
        raise usage(f"{given[1:]} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise usage(f"{where} is no JSON: {error}.", """An object is meant: --payload '{"path": "src"}'""") from None
    if not isinstance(found, dict):
        raise usage(f"{where} is no JSON object.", """An object is meant: --payload '{"path": "src"}'""")
    return found


def _text(given: str) -> str:
    if given == "@-":
        return sys.stdin.read()
    return Path(given[1:]).read_text(encoding="utf-8") if given.startswith("@") else given
