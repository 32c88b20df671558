"""Clean values of a record: texts within the limits of a capture, dates, and tags in all notations."""

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from readdo import clock

TITLE_MAX, NOTE_MAX, CONTENT_MAX = 300, 10_000, 400_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CONTROL_BUT_BREAKS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # allowed in JSON, not in UTF-8
_BREAK = re.compile(r"\r\n|\r|\n")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_SCAN_FACTOR = 4  # times the limit is scanned, since whitespace may pad a line to any length

_EARLIEST, _LATEST = 1990, 2099  # zero and year 9999 mean that there is no date
_UNITS = ((1e11, 1), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))  # (upper limit, units per second)
_NUMBER = re.compile(r"\d{9,20}(?:\.\d{0,9})?", re.ASCII)  # fewer digits are a year before 1990, or a date
_FRACTION = re.compile(r"(\.\d{6})\d+")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CHROME_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_DATE_LENGTH_MAX = 60

TAGS_MAX, TAG_MAX = 50, 80
_CELL_MAX = 20_000  # characters of a cell; TAGS_MAX tags are shorter
_TAG_NAMES = ("name", "label", "title", "tag")
# A Python list. An unclosed string ends with the text, so that no text is scanned twice.
_QUOTED = re.compile(r"'((?:[^'\\]++|\\.?)*+)'?|\"((?:[^\"\\]++|\\.?)*+)\"?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SEPARATORS = ("|", ";", "；", "、", ",", "，")
# Default folders of browsers and products, which say nothing about a page.
_DEFAULT_FOLDERS = frozenset((
    *("bookmarks", "bookmarks bar", "bookmarks toolbar", "bookmarks menu", "other bookmarks", "mobile bookmarks"),
    *("bookmarksbar", "bookmarksmenu", "imported bookmarks", "unfiled bookmarks", "unsorted bookmarks"),
    *("personal toolbar folder", "favorites", "favorites bar", "favourites", "favourites bar", "reading list"),
    *("tab group favorites", "unsorted", "unorganized", "uncategorized", "unlabeled", "unread", "inbox", "root"),
    *("home", "书签", "书签栏", "书签工具栏", "书签菜单", "其他书签", "移动设备书签", "手机书签", "收藏夹", "收藏夹栏"),
    *("收藏夹菜单", "其他收藏夹", "导入的书签", "个人收藏", "阅读列表", "未分类", "未归类"),
    *("書籤列", "書籤", "其他書籤", "行動裝置書籤", "我的最愛"),
))  # fmt: skip


def to_text(value: object) -> str:
    """A text or number as text. Empty for other values."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e18 else ""


def is_true(value: object) -> bool:
    """Accepts true, 1 and the products' words for it."""
    return value is True or to_text(value).strip().lower() in ("1", "1.0", "true", "yes", "y", "t", "是")


def one_line(value: object, limit: int) -> str:
    text = _CONTROL.sub(" ", _replace_surrogates(to_text(value)[: limit * _SCAN_FACTOR]))
    return " ".join(text.split())[:limit].rstrip()


def joined(*parts: object) -> str:
    """Join several notes, each once. Keeps line breaks, which the user made."""
    unique = dict.fromkeys(text for part in parts if (text := _note(part)))
    return _note("\n\n".join(unique))


def quoted(quote: object, comment: object = "") -> str:
    """A highlight as a quotation, and the user's comment on it."""
    highlight = _note(quote)
    return joined("\n".join(f"> {line}".rstrip() for line in highlight.split("\n")) if highlight else "", comment)


def content(value: object) -> str:
    text = _CONTROL_BUT_BREAKS.sub("", _replace_surrogates(to_text(value)[:CONTENT_MAX]))
    return text if text.strip() else ""


def language(value: object) -> str:
    code = to_text(value).strip().replace("_", "-")
    return code if len(code) <= 20 and _LANGUAGE.fullmatch(code) else ""


def split_lines(text: str) -> list[str]:
    """Splits at CR and LF only, unlike str.splitlines(): a value may contain other Unicode breaks."""
    return _BREAK.split(text)


def _note(value: object) -> str:
    text = to_text(value)[: NOTE_MAX * _SCAN_FACTOR].replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL_BUT_BREAKS.sub("", _replace_surrogates(text)).strip()[:NOTE_MAX].rstrip()


def _replace_surrogates(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def date(value: object) -> str:
    """Parse a Unix time in any unit, an ISO 8601 date or an e-mail date. Empty for an implausible date."""
    if isinstance(value, dict):
        value = value.get("date")  # a serialised PHP DateTime
    if isinstance(value, int | float):
        value = repr(int(value)) if abs(value) < 1e20 else ""
    if not isinstance(value, str) or len(value) > _DATE_LENGTH_MAX:
        return ""
    text = value.strip()
    return _date_of_number(float(text)) if _NUMBER.fullmatch(text) else _date_of_text(text)


def chrome_date(value: object) -> str:
    """Parse microseconds since 1601, given as text."""
    text = to_text(value)
    if not re.fullmatch(r"[0-9]{17}", text):  # other lengths are outside the plausible years
        return ""
    return _stamp(_CHROME_EPOCH + timedelta(microseconds=int(text)))


def _date_of_number(number: float) -> str:
    unit = next((unit for below, unit in _UNITS if number < below), None)
    return _stamp(_EPOCH + timedelta(milliseconds=round(number * 1000 / unit))) if unit else ""


def _date_of_text(text: str) -> str:
    try:
        return _stamp(clock.parse(_FRACTION.sub(r"\1", text.replace("/", "-")).replace(" UTC", "Z")))
    except ValueError:
        pass
    try:
        parsed = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return _stamp(parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC))


def _stamp(parsed: datetime) -> str:
    return clock.stamp(parsed) if _EARLIEST <= parsed.year <= _LATEST else ""


def split_tags(value: object, separator: str = "") -> list[object]:
    """Accepts a list, a list as text (JSON or Python), or words between separators."""
    if isinstance(value, list | tuple):
        return [_tag_name(one) for one in value[: TAGS_MAX * 4]]
    text = to_text(value)[:_CELL_MAX].strip()
    if text.startswith("[") and text.endswith("]"):
        return _parse_list(text)
    mark = separator or next((mark for mark in _SEPARATORS if mark in text), "")
    return list(text.split(mark)) if mark else [text]


def unique_tags(tags: Iterable[object]) -> tuple[str, ...]:
    """Each tag once, regardless of case, in the original order."""
    unique: dict[str, str] = {}
    for written in tags:
        tag = one_line(written, TAG_MAX)
        if tag:
            unique.setdefault(tag.casefold(), tag)
        if len(unique) == TAGS_MAX:
            break
    return tuple(unique.values())


def without_default_folders(path: Iterable[object]) -> list[object]:
    return [name for name in path if one_line(name, TAG_MAX).casefold() not in _DEFAULT_FOLDERS]


def _tag_name(tag: object) -> object:
    if isinstance(tag, dict):
        return next((tag[name] for name in _TAG_NAMES if isinstance(tag.get(name), str)), "")
    return tag


def _parse_list(text: str) -> list[object]:
    try:
        tags = json.loads(text)
        return split_tags(tags) if isinstance(tags, list) else []
    except (ValueError, RecursionError):
        pass
    words = [_ESCAPED.sub(r"\1", single or double) for single, double in _QUOTED.findall(text[1:-1])]
    return list(words or text[1:-1].split(","))
