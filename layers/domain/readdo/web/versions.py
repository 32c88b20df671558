"""ETag, If-None-Match and If-Match. The ETag of an item begins with its version."""

import re
from typing import Any

from readdo.clock import digest
from readdo.web.errors import invalid

_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_VERSION = re.compile(r'(?:W/)?"?(\d{1,9})(-[0-9a-f]+)?"?|(\*)')
_INSTRUCTIONS = 'Send the version that you read, such as If-Match: "7", or * to change any version.'


def tag_of(version: int, *parts: Any) -> str:
    """The ETag of a response that depends on several rows."""
    return f'"{version}-{digest(*(str(part) for part in parts))[:12]}"'


def tag_of_text(body: str) -> str:
    return f'"{digest(body)[:20]}"'


def is_known(tag: str, if_none_match: str) -> bool:
    return if_none_match.strip() == "*" or tag.strip('"') in _TAG.findall(if_none_match)


def if_match(header: str, *, of_item: bool = True) -> str:
    """The version in If-Match, or `*`. An item's ETag is not valid for an artifact."""
    if not header.strip():
        raise invalid(f"This call needs the header If-Match. {_INSTRUCTIONS}", {"If-Match": _INSTRUCTIONS})
    match = _VERSION.fullmatch(header.strip())
    if not match or (match[2] and not of_item):
        raise invalid(f"If-Match has no valid version. {_INSTRUCTIONS}", {"If-Match": _INSTRUCTIONS})
    return match[3] or str(int(match[1]))
