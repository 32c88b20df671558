"""Escape a user's text in Markdown, for CommonMark, GitHub and the dialects of note apps."""

import re
import unicodedata
from urllib.parse import urlsplit

_ANYWHERE = re.compile(r"[\\`*_\[\]{}<>#~|$]")
_ENTITY = re.compile(r"&(?=#|\w+;)")
_DOUBLED = re.compile(r"(?<=[=%])(?=[=%])|(?<=:)(?=:)")  # ==mark==, %%comment%%, key:: value
_AT_START = re.compile(r"^(?:[-+=:!](?!\w)|-{2,}|\+{2,}|={1,}|\d{1,9}(?=[.)]))")
_URL_UNSAFE = re.compile(r"""[\s<>"\\^`{|}()]""")
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"  # needed in Persian words and in emoji sequences


def one_line(text: str) -> str:
    """Remove line breaks, control characters and direction marks, which could start a new block."""
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
    """A Markdown link for http and https. Any other address, such as `javascript:`, becomes plain text."""
    target = web_address(url)
    if not target:
        return escape(f"{title} {url}" if title else url)
    # An HTML entity could change the address.
    return f"[{escape(title) or escape(url)}](<{_ENTITY.sub('%26', target)}>)"


def web_address(url: str) -> str:
    """The http(s) address with unsafe characters percent-encoded. Empty for other addresses."""
    line = one_line(url)
    return _URL_UNSAFE.sub(lambda match: f"%{ord(match.group()):02X}", line) if _is_web(line) else ""


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)
