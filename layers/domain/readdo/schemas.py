"""The schemas of the artifacts, read from `schemas/` once a process."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from readdo.runtime import setting


@cache
def _validator(kind: str) -> Draft202012Validator:
    path = Path(setting("SCHEMAS_DIR")) / "artifacts" / f"{kind}.json"
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


def problem(kind: str, payload: Mapping[str, Any]) -> str | None:
    """Where it is wrong first, and by which rule, but never the value: it may be a user's text. None if it is right."""
    for error in _validator(kind).iter_errors(payload):
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
        return f"{kind}{'.' + where if where else ''}: {error.validator}"
    return None
