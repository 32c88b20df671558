"""Clean text for a capture: no control characters or lone surrogates, within the limits of the API."""

import re

TITLE_MAX = 300
NOTE_MAX = 10_000
CONTENT_MAX = 400_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CONTROL_BUT_BREAKS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # allowed in JSON, not in UTF-8
_BREAK = re.compile(r"\r\n|\r|\n")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_SCAN_FACTOR = 4  # times the limit is scanned, since whitespace may pad a line to any length


def to_text(value: object) -> str:
    """A text or number as text. Empty for other values."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e18 else ""


def true(value: object) -> bool:
    """Accepts true, 1 and the products' words for it."""
    return value is True or to_text(value).strip().lower() in ("1", "1.0", "true", "yes", "y", "t", "是")


def one_line(value: object, limit: int) -> str:
    text = _CONTROL.sub(" ", _replace_surrogates(to_text(value)[: limit * _SCAN_FACTOR]))
    return " ".join(text.split())[:limit].rstrip()


def note(value: object) -> str:
    """Keeps line breaks, which the user made."""
    text = to_text(value)[: NOTE_MAX * _SCAN_FACTOR].replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL_BUT_BREAKS.sub("", _replace_surrogates(text)).strip()[:NOTE_MAX].rstrip()


def split_lines(text: str) -> list[str]:
    """Splits at CR and LF only, unlike str.splitlines(): a value may contain other Unicode breaks."""
    return _BREAK.split(text)


def joined(*parts: object) -> str:
    """Join several notes, each once."""
    unique = dict.fromkeys(text for part in parts if (text := note(part)))
    return "\n\n".join(unique)


def quoted(quote: object, comment: object = "") -> str:
    """A highlight as a quotation, and the user's comment on it."""
    highlight = note(quote)
    return joined("\n".join(f"> {line}".rstrip() for line in highlight.split("\n")) if highlight else "", comment)


def content(value: object) -> str:
    text = _CONTROL_BUT_BREAKS.sub("", _replace_surrogates(to_text(value)[:CONTENT_MAX]))
    return text if text.strip() else ""


def language(value: object) -> str:
    code = to_text(value).strip().replace("_", "-")
    return code if len(code) <= 20 and _LANGUAGE.fullmatch(code) else ""


def _replace_surrogates(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)
