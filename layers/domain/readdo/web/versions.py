"""ETag, If-None-Match and If-Match. The ETag of an item begins with its version."""

import re
from typing import Any

from readdo.ids import digest
from readdo.web.errors import invalid

_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_VERSION = re.compile(r'(?:W/)?"?(\d{1,9})(-[0-9a-f]+)?"?|(\*)')
_HOW = 'Send the version that you read, such as If-Match: "7", or * to change any version.'


def tag_of(version: int, *seen: Any) -> str:
    """The ETag of an answer that depends on the versions of several rows."""
    return f'"{version}-{digest(*(str(part) for part in seen))[:12]}"'


def tag_of_text(body: str) -> str:
    return f'"{digest(body)[:20]}"'


def is_known(tag: str, if_none_match: str) -> bool:
    return if_none_match.strip() == "*" or tag.strip('"') in _TAG.findall(if_none_match)


def if_match(header: str, *, of_item: bool = True) -> str:
    """The version that the caller read, or `*`. An item's ETag is not valid for an artifact."""
    if not header.strip():
        raise invalid(f"This call needs the header If-Match. {_HOW}", {"If-Match": _HOW})
    found = _VERSION.fullmatch(header.strip())
    if not found or (found[2] and not of_item):
        raise invalid(f"If-Match has no valid version. {_HOW}", {"If-Match": _HOW})
    return found[3] or str(int(found[1]))
