"""The calls of the API. An answer has two faces: `raw` as it came, for machines, and `data`, which is safe to show."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode

from terminal import failures
from terminal.text import cleaned
from terminal.transport import Transport

Query = Mapping[str, str | int | Sequence[str] | None]


@dataclass(frozen=True)
class ApiResponse:
    status: int
    raw: Any
    headers: Mapping[str, str]

    @cached_property
    def data(self) -> dict[str, Any]:
        found = cleaned(self.raw)
        return found if isinstance(found, dict) else {}


class Api:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, path: str, query: Query | None = None, *, known: str = "") -> ApiResponse:
        """`known` is the ETag of what the caller has already: a 304 then says that it still holds."""
        return self._call("GET", path + _query(query or {}), None, {"If-None-Match": known} if known else {})

    def post(self, path: str, body: Mapping[str, Any] | None = None, *, key: str | None = None) -> ApiResponse:
        """`key`: the caller's own, so that it may ask again later; none if it is empty."""
        return self._write("POST", path, body or {}, "", key)

    def patch(self, path: str, body: Mapping[str, Any], seen: str) -> ApiResponse:
        return self._write("PATCH", path, body, seen)

    def put(self, path: str, body: Mapping[str, Any], seen: str) -> ApiResponse:
        return self._write("PUT", path, body, seen)

    def delete(self, path: str) -> ApiResponse:
        return self._write("DELETE", path, None, "")

    def _write(
        self, method: str, path: str, body: Mapping[str, Any] | None, seen: str, key: str | None = None
    ) -> ApiResponse:
        known = str(uuid.uuid4()) if key is None else key
        headers = {"Idempotency-Key": known} if known else {}
        headers |= {"If-Match": seen} if seen else {}
        return self._call(method, path, body, headers)

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None, headers: dict[str, str]) -> ApiResponse:
        sent = None
        if body is not None:
            # Half a character (from a name in an odd encoding) cannot be sent; a question mark can.
            sent = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
            headers["Content-Type"] = "application/json"
        answer, tries = self._transport.send(method, path, sent, headers)
        status = answer.status_code
        if method == "DELETE" and status == 404 and tries > 1:
            return ApiResponse(204, None, {})  # the try before this one did it, and its answer was lost
        if status >= 400:
            raise failures.of_answer(status, _json(answer.content), path)
        if status in (204, 304):
            return ApiResponse(status, None, answer.headers)
        if status >= 300:
            raise failures.of_answer(status, None)
        return ApiResponse(status, _document(answer.content), answer.headers)

    def link(self, path: str) -> str:
        """Where a file lies: the API answers with a redirect, which the caller follows without our token."""
        answer, _ = self._transport.send("GET", path, None, {})
        place = answer.headers.get("Location", "")
        if answer.status_code != 302 or not place:
            raise failures.of_answer(answer.status_code, _json(answer.content), path)
        return place


def at(*parts: str) -> str:
    """A path of parts that may hold anything."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def item(item_id: str, *parts: str) -> str:
    return at("items", item_id, *parts)


def _query(query: Query) -> str:
    given = {name: value for name, value in query.items() if value not in (None, "", (), [])}
    return f"?{urlencode(given, doseq=True)}" if given else ""


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _document(content: bytes) -> Any:
    found = _json(content)
    if not isinstance(found, dict):
        raise failures.unreachable(
            "What answers there is not Read→Do: the answer is no JSON object.",
            "Check the address: READDO_URL, or `make run` anew. `readdo doctor` tells more.",
        )
    return found
