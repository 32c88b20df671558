"""A form that brings a file along (multipart/form-data), taken apart byte for byte."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readdo.web import body
from readdo.web.errors import invalid

PARTS_MAX = 50
_KIND = "multipart/form-data"
_BOUNDARY = re.compile(r';\s*boundary="?([^";,\s]{1,70})"?', re.IGNORECASE)
_NAME = re.compile(r'form-data;.*?\bname="([^"]*)"', re.IGNORECASE)
_FILENAME = re.compile(r'form-data;.*?\bfilename="([^"]*)"', re.IGNORECASE)


@dataclass(frozen=True)
class SentFile:
    name: str
    body: bytes


@dataclass(frozen=True)
class Sent:
    fields: dict[str, list[str]]
    file: SentFile | None


def is_in_parts(headers: Mapping[str, str]) -> bool:
    return headers.get("content-type", "").lower().startswith(_KIND)


def of(event: Mapping[str, Any], headers: Mapping[str, str]) -> Sent:
    """A field that was left empty brings a file without a name, which is none."""
    fields: dict[str, list[str]] = {}
    file = None
    try:
        raw = body.bytes_of(event)
    except ValueError as error:
        raise invalid("The form did not come whole. Send it again.") from error
    for head, value in _parts(raw, headers["content-type"]):
        name, filename = _NAME.search(head), _FILENAME.search(head)
        if filename is not None:
            file = SentFile(filename[1], value) if filename[1] else file
        elif name is not None:
            fields.setdefault(name[1], []).append(value.decode("utf-8", "replace"))
    return Sent(fields, file)


def _parts(raw: bytes, kind: str) -> Iterator[tuple[str, bytes]]:
    """Between two boundaries: a head, an empty line, and what is sent, of which nothing is changed."""
    boundary = _BOUNDARY.search(kind)
    pieces = (b"\r\n" + raw).split(b"\r\n--" + boundary[1].encode(), PARTS_MAX) if boundary else []
    if len(pieces) < 2 or not pieces[-1].startswith(b"--"):
        raise invalid("The form did not come whole. Send it again.")
    for piece in pieces[1:-1]:
        head, empty_line, value = piece.partition(b"\r\n\r\n")
        if empty_line:
            yield " ".join(head.decode("utf-8", "replace").split()), value
