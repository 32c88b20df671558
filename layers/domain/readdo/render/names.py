"""The names that a person would give the files, and how a server says them."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from readdo.render.render_request import CardSource
from readdo.render.script import HAN

ENDINGS = {
    "png": ".png",
    "md": ".md",
    "caption": " (caption).txt",
    "html": ".html",
    "pdf": ".pdf",
    "json": ".json",
}
_NAMELESS = "card"
# With the longest ending a name has 80 characters and 180 bytes, and all files of a set are called the same.
_LONGEST = max(map(len, ENDINGS.values()))
_CHARACTERS, _BYTES = 80 - _LONGEST, 180 - _LONGEST

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Letters and marks by name, but nothing to be seen: fillers, selectors, joiners of other kinds.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_PLAIN = str.maketrans({"/": "-", "\\": "-", "|": "-", '"': "'", "<": " ", ">": " ", "*": " ", "?": None})
_EDGE = " .,;~-，、；。"
_COLON = re.compile(r"\s*:(?:\s+|$)")
# Windows keeps these for devices, whatever follows the first dot.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)", re.IGNORECASE)
_HALF_A_WORD = re.compile(rf"(?<=\S)\s+[^\s{HAN}\u3041-\u30ff]{{1,20}}$")

_NEAR = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
    | {"ı": "i", "‘": "'", "’": "'", "“": "'", "”": "'", "–": "-", "—": "-", "…": "..."}
)
_SAFE = re.compile(r"[^A-Za-z0-9 ._()'!,&+=@#\[\]-]")


def download_name(form: str, card: Mapping[str, Any], source: CardSource) -> str:
    """`Fencing tokens in practice.png`: legal on every system, and the same before the ending for a whole set."""
    stems = (_stem(text) for text in (card["headline"], source.title))
    return next(filter(None, stems), _NAMELESS) + ENDINGS[form]


def _stem(text: str) -> str:
    chars = unicodedata.normalize("NFC", " ".join(text.split()))
    shown = _BLANK.sub("", "".join(char for char in chars if unicodedata.category(char) not in _UNSEEN))
    plain = _COLON.sub(" - ", shown).replace(":", "-").translate(_PLAIN)
    # A dot in front hides a file, a dash there looks like an option.
    stem = " ".join(plain.split()).strip(_EDGE)
    if _DEVICE.match(stem):
        stem = f"{_NAMELESS} {stem}"
    stem = _cut(stem).rstrip(_EDGE)
    return stem if any(map(str.isalnum, stem)) else ""


def _cut(text: str) -> str:
    kept, size = 0, 0
    for cluster in _clusters(text):
        size += len(cluster.encode())
        if kept + len(cluster) > _CHARACTERS or size > _BYTES:
            return text[:kept] if text[kept].isspace() else _HALF_A_WORD.sub("", text[:kept])
        kept += len(cluster)
    return text


def _clusters(text: str) -> list[str]:
    """What a reader takes for one character: a letter with its marks, a hand with its colour, a flag."""
    found: list[str] = []
    for char in text:
        joins = unicodedata.category(char)[0] == "M" or "\U0001f3fb" <= char <= "\U0001f3ff"
        flag = found and _is_flag(char) and len(found[-1]) == 1 and _is_flag(found[-1])
        if found and (joins or flag):
            found[-1] += char
        else:
            found.append(char)
    return found


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def disposition(name: str) -> str:
    """The value of Content-Disposition (RFC 6266): in ASCII for who reads no better, and the name itself."""
    clean = "".join(char for char in name if unicodedata.category(char) not in _UNSEEN)
    return f"inline; filename=\"{_ascii(clean)}\"; filename*=UTF-8''{quote(clean, safe='!#$&+-.^_`|~')}"


def _ascii(name: str) -> str:
    """Near letters stand in for others; a name that would lose some is no name, and becomes `card`."""
    ending = next((end for end in ENDINGS.values() if name.endswith(end)), "")
    near = unicodedata.normalize("NFKD", name.removesuffix(ending).translate(_NEAR))
    lost = any(char.isalnum() and not char.isascii() for char in near)
    stem = "" if lost else " ".join(_SAFE.sub("", near).split())
    return (stem if any(map(str.isalnum, stem)) else _NAMELESS) + ending
