"""Text as a capture takes it: no control characters, no half characters, and within the limits of the API."""

import re

TITLE_MAX = 300
NOTE_MAX = 10_000
CONTENT_MAX = 400_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_HALF = re.compile(r"[\ud800-\udfff]")  # what JSON may name, and UTF-8 cannot
_BREAK = re.compile(r"\r\n|\r|\n")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_LOOKED_AT = 4  # times the limit: beyond that, blanks could make a line of any length


def said(value: object) -> str:
    """A value of a JSON file as text; what is neither text nor number says nothing."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e18 else ""


def true(value: object) -> bool:
    """0 and 1, false and true, also as text, as the products write it."""
    return value is True or said(value).strip().lower() in ("1", "1.0", "true", "yes", "y", "t", "是")


def one_line(value: object, limit: int) -> str:
    shown = _CONTROL.sub(" ", _whole(said(value)[: limit * _LOOKED_AT]))
    return " ".join(shown.split())[:limit].rstrip()


def note(value: object) -> str:
    """Line breaks are kept; a person made them."""
    text = said(value)[: NOTE_MAX * _LOOKED_AT].replace("\r\n", "\n").replace("\r", "\n")
    return _UNSEEN.sub("", _whole(text)).strip()[:NOTE_MAX].rstrip()


def split_lines(text: str) -> list[str]:
    """At line breaks only: a value may hold what Unicode calls one besides."""
    return _BREAK.split(text)


def joined(*parts: object) -> str:
    """Several notes as one, each once."""
    kept = dict.fromkeys(text for part in parts if (text := note(part)))
    return "\n\n".join(kept)


def quoted(quote: object, comment: object = "") -> str:
    """What somebody marked, and what they wrote to it."""
    marked = note(quote)
    return joined("\n".join(f"> {line}".rstrip() for line in marked.split("\n")) if marked else "", comment)


def content(value: object) -> str:
    text = _UNSEEN.sub("", _whole(said(value)[:CONTENT_MAX]))
    return text if text.strip() else ""


def language(value: object) -> str:
    shown = said(value).strip().replace("_", "-")
    return shown if len(shown) <= 20 and _LANGUAGE.fullmatch(shown) else ""


def _whole(text: str) -> str:
    return _HALF.sub("\ufffd", text)
