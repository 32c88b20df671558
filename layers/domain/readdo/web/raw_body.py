"""The body of a request, within our limit. The gateway's limit is larger, and its error explains less."""

import base64
from collections.abc import Mapping
from typing import Any

from readdo.web.errors import ApiError, invalid

BODY_MAX = 5_000_000


def text_of(event: Mapping[str, Any]) -> str:
    try:
        return bytes_of(event).decode("utf-8-sig")  # drops a byte order mark
    except ValueError as error:  # invalid base64 or UTF-8
        raise invalid("The body is not valid UTF-8. Send JSON in UTF-8.") from error


def bytes_of(event: Mapping[str, Any]) -> bytes:
    body: str = event.get("body") or ""
    if len(body) > BODY_MAX * 4 // 3 + 4:
        raise _too_large()
    raw = base64.b64decode(body, validate=True) if event.get("isBase64Encoded") else body.encode()
    if len(raw) > BODY_MAX:
        raise _too_large()
    return raw


def _too_large() -> ApiError:
    return ApiError(413, "TOO_LARGE", f"The body is larger than {BODY_MAX // 1_000_000} MB. Send less text.")
