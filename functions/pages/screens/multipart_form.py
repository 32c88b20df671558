"""Parse multipart/form-data forms with a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from multipart import MultipartError, MultipartParser, parse_options_header

from readdo.web.errors import invalid
from readdo.web.request_body import BODY_MAX, bytes_of

PARTS_MAX = 50
_KIND = "multipart/form-data"


@dataclass(frozen=True)
class SentFile:
    name: str
    body: bytes


@dataclass(frozen=True)
class SubmittedForm:
    fields: dict[str, list[str]]
    file: SentFile | None


def is_multipart(headers: Mapping[str, str]) -> bool:
    return headers.get("content-type", "").lower().startswith(_KIND)


def parse(event: Mapping[str, Any], headers: Mapping[str, str]) -> SubmittedForm:
    """Parse a form. An empty file field arrives as a file without a name and is ignored."""
    fields: dict[str, list[str]] = {}
    file = None
    boundary = parse_options_header(headers["content-type"])[1].get("boundary", "")
    limits = {
        "part_limit": PARTS_MAX,
        "spool_limit": BODY_MAX,
        "memory_limit": BODY_MAX,
    }
    try:
        for part in MultipartParser(BytesIO(bytes_of(event)), boundary, strict=True, **limits):
            if part.filename is not None:
                file = SentFile(part.filename, part.raw) if part.filename else file
            else:
                fields.setdefault(part.name, []).append(part.raw.decode("utf-8", "replace"))
    except (MultipartError, ValueError) as error:
        raise invalid("The form did not come whole. Send it again.") from error
    return SubmittedForm(fields, file)
