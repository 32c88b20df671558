"""Client for the HTTP API.

`ApiResponse.raw` is the JSON as received; `data` is cleaned for the terminal.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from terminal import failures
from terminal.text import clean_json

if TYPE_CHECKING:
    from terminal.transport import Transport

Body = Mapping[str, Any] | Sequence[Any]
Query = Mapping[str, str | int | Sequence[str] | None]


@dataclass(frozen=True)
class ApiResponse:
    status: int
    raw: Any
    headers: Mapping[str, str]

    @cached_property
    def data(self) -> dict[str, Any]:
        data = clean_json(self.raw)
        return data if isinstance(data, dict) else {}


class Api:
    def __init__(self, transport: "Transport") -> None:
        self._transport = transport

    def get(self, path: str, query: Query | None = None, *, etag: str = "") -> ApiResponse:
        """`etag`: the ETag that the caller already has, sent as If-None-Match."""
        return self._call("GET", path + _query(query or {}), None, {"If-None-Match": etag} if etag else {})

    def post(self, path: str, body: Body | None = None, *, key: str | None = None) -> ApiResponse:
        """`key`: an Idempotency-Key that the caller can reuse for a later retry; "" sends no key."""
        return self._write("POST", path, body or {}, "", key)

    def patch(self, path: str, body: Mapping[str, Any], version: str) -> ApiResponse:
        return self._write("PATCH", path, body, version)

    def put(self, path: str, body: Mapping[str, Any], version: str) -> ApiResponse:
        return self._write("PUT", path, body, version)

    def delete(self, path: str) -> ApiResponse:
        return self._write("DELETE", path, None, "")

    def _write(self, method: str, path: str, body: Body | None, version: str, key: str | None = None) -> ApiResponse:
        idempotency_key = str(uuid.uuid4()) if key is None else key
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        headers |= {"If-Match": version} if version else {}
        return self._call(method, path, body, headers)

    def _call(self, method: str, path: str, body: Body | None, headers: dict[str, str]) -> ApiResponse:
        payload = None
        if body is not None:
            # A lone surrogate (from a file name in another encoding) has no UTF-8 form; send a question mark.
            payload = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
            headers["Content-Type"] = "application/json"
        response, tries = self._transport.send(method, path, payload, headers)
        status = response.status_code
        if method == "DELETE" and status == 404 and tries > 1:
            return ApiResponse(204, None, {})  # an earlier try deleted it, and its response was lost
        if status >= 400:
            raise failures.from_response(status, _json(response.content), path)
        if status in (204, 304):
            return ApiResponse(status, None, response.headers)
        if status >= 300:
            raise failures.from_response(status, None)
        return ApiResponse(status, _document(response.content), response.headers)

    def link(self, path: str) -> str:
        """Return the presigned URL of a file. The caller must follow the redirect without the API token."""
        response, _ = self._transport.send("GET", path, None, {})
        location = response.headers.get("Location", "")
        if response.status_code != 302 or not location:
            raise failures.from_response(response.status_code, _json(response.content), path)
        return location


def at(*parts: str) -> str:
    """Build a path from parts, each percent-encoded."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def item(item_id: str, *parts: str) -> str:
    return at("items", item_id, *parts)


def _query(query: Query) -> str:
    parameters = {name: value for name, value in query.items() if value not in (None, "", (), [])}
    return f"?{urlencode(parameters, doseq=True)}" if parameters else ""


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _document(content: bytes) -> Any:
    document = _json(content)
    if not isinstance(document, dict):
        raise failures.unreachable(
            "The server is not Read→Do: its response is not a JSON object.",
            "Check READDO_URL, or restart `make run`. For details: readdo doctor",
        )
    return document
