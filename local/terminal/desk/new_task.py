"""Build the API request for a new task from the command's options."""

import json
import sys
from pathlib import Path
from typing import Any

from terminal.failures import usage

_EXAMPLE = """Example: --payload '{"path": "src"}'"""
_GIVEN = ("title", "priority", "project", "due_date", "timeout_seconds", "max_retries", "hold", "id")


def body(intent: str, payload: str | None, **options: Any) -> dict[str, Any]:
    """Return the request body with only the options that were set; the API has defaults for the others."""
    fields = {name: options[name] for name in _GIVEN if options.get(name) not in (None, "", False)}
    fields |= {name: list(options[name]) for name in ("depends_on", "tags") if options.get(name)}
    return {"intent": intent, **fields, **({"payload": _payload(payload)} if payload is not None else {})}


def _payload(option: str) -> Any:
    where = "The payload" if not option.startswith("@") else f"The content of {option[1:]}"
    try:
        document = json.loads(_text(option))
    except OSError as error:
        raise usage(f"{option[1:]} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise usage(f"{where} is not valid JSON: {error}.", _EXAMPLE) from None
    if not isinstance(document, dict):
        raise usage(f"{where} is not a JSON object.", _EXAMPLE)
    return document


def _text(option: str) -> str:
    if option == "@-":
        return sys.stdin.read()
    return Path(option[1:]).read_text(encoding="utf-8") if option.startswith("@") else option
