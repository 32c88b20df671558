"""Keeps a user's text from being read as Markdown: by CommonMark, GitHub, or a notebook's dialect."""

import re
import unicodedata
from urllib.parse import urlsplit

_ANYWHERE = re.compile(r"[\\`*_\[\]{}<>#~|$]")
_ENTITY = re.compile(r"&(?=#|\w+;)")
_DOUBLED = re.compile(r"(?<=[=%])(?=[=%])|(?<=:)(?=:)")  # ==mark==, %%comment%%, key:: value
_AT_START = re.compile(r"^(?:[-+=:!](?!\w)|-{2,}|\+{2,}|={1,}|\d{1,9}(?=[.)]))")
_URL_UNSAFE = re.compile(r"""[\s<>"\\^`{|}()]""")
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"  # they belong to the spelling of Persian, and hold emoji together


def one_line(text: str) -> str:
    """No line breaks, no control characters, no invisible direction marks: each could begin a new block."""
    spaced = " ".join(text.split())
    return "".join(char for char in spaced if char in _JOINERS or unicodedata.category(char) not in _UNSEEN)


def escape(text: str) -> str:
    line = _ANYWHERE.sub(r"\\\g<0>", one_line(text))
    line = _ENTITY.sub(r"\\&", line)
    line = _DOUBLED.sub(r"\\", line)
    return _AT_START.sub(_escape_start, line)


def _escape_start(match: re.Match[str]) -> str:
    start = match.group()
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def link(title: str, url: str) -> str:
    """A link only if it leads to the web: a `javascript:` address stays visible, as text."""
    url = one_line(url)
    text = escape(title) or escape(url)
    if not _is_web(url):
        return escape(f"{title} {url}" if title else url)
    # Whatever could end the brackets, or turn into another address by way of an entity, is percent-encoded.
    target = _URL_UNSAFE.sub(lambda match: f"%{ord(match.group()):02X}", url)
    return f"[{text}](<{_ENTITY.sub('%26', target)}>)"


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)
