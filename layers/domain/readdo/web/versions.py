"""ETag, If-None-Match and If-Match. An item's tag begins with its version, which is what a change must name."""

import re
from typing import Any

from readdo.ids import digest
from readdo.web.errors import invalid

_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_VERSION = re.compile(r'(?:W/)?"?(\d{1,9})(-[0-9a-f]+)?"?|(\*)')
_HOW = 'Send what you have seen: If-Match: "7" (the version), or * to change whatever is there.'


def tag_of(version: int, *seen: Any) -> str:
    """For an answer that is made of more than one row: of the version of each."""
    return f'"{version}-{digest(*(str(part) for part in seen))[:12]}"'


def tag_of_text(body: str) -> str:
    return f'"{digest(body)[:20]}"'


def is_known(tag: str, if_none_match: str) -> bool:
    return if_none_match.strip() == "*" or tag.strip('"') in _TAG.findall(if_none_match)


def if_match(header: str, *, of_item: bool = True) -> str:
    """The version that the caller has seen, or `*`. An item's tag says nothing of an artifact's version."""
    if not header.strip():
        raise invalid(f"This call needs the header If-Match, so that no change is lost. {_HOW}", {"If-Match": _HOW})
    found = _VERSION.fullmatch(header.strip())
    if not found or (found[2] and not of_item):
        raise invalid(f"If-Match names no version. {_HOW}", {"If-Match": _HOW})
    return found[3] or str(int(found[1]))
