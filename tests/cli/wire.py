"""Requests and responses of the fake server, and the moves of an item."""

import json
from dataclasses import dataclass, field
from typing import Any

MOVES = {
    "process": ({"CAPTURED", "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT"}, "QUEUED", "PROCESS_NOT_ALLOWED"),
    "retry": ({"FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT"}, "QUEUED", "PROCESS_NOT_ALLOWED"),
    "regenerate": ({"READY", "ARCHIVED"}, "QUEUED", "PROCESS_NOT_ALLOWED"),
    "keep": ({"FAILED_EXTRACTION", "FAILED_AI"}, "READY", "STATE_CONFLICT"),
    "ship": ({"READY"}, "SHIPPED", "STATE_CONFLICT"),
    "archive": ({"READY", "SHIPPED", "CAPTURED", "QUEUED", "FAILED_AI"}, "ARCHIVED", "ARCHIVE_NOT_ALLOWED"),
    "unarchive": ({"ARCHIVED"}, "READY", "STATE_CONFLICT"),
    "export": ({"READY", "SHIPPED", "FAILED_EXPORT"}, "", "EXPORT_NOT_ALLOWED"),
}
_CALL = {"retry": "process", "regenerate": "process"}


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: Any
    raw: bytes = b""


@dataclass
class Reply:
    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def bytes(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else json.dumps(self.body).encode()


def refusal(status: int, code: str, message: str, /, **details: Any) -> Reply:
    return Reply(status, {"error": {"code": code, "message": message, "details": details}})


def actions(row: dict[str, Any]) -> list[dict[str, Any]]:
    names = [name for name, (sources, _, _) in MOVES.items() if row["status"] in sources]
    return [{"action": n, "method": "POST", "path": f"/items/{row['id']}/{_CALL.get(n, n)}"} for n in names]
