"""Readable file names for downloads, and the Content-Disposition header for them."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from readdo.render.render_request import CardSource
from readdo.render.script_language import HAN

ENDINGS = {
    "png": ".png",
    "md": ".md",
    "caption": " (caption).txt",
    "html": ".html",
    "pdf": ".pdf",
    "json": ".json",
}
_NAMELESS = "card"
# The limit with the longest ending is 80 characters and 180 bytes, so that all files of a set have the same stem.
_LONGEST = max(map(len, ENDINGS.values()))
_CHARACTERS, _BYTES = 80 - _LONGEST, 180 - _LONGEST

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Unicode letters and marks that are invisible: fillers, variation selectors, other joiners.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_PLAIN = str.maketrans({"/": "-", "\\": "-", "|": "-", '"': "'", "<": " ", ">": " ", "*": " ", "?": None})
_EDGE = " .,;~-，、；。"
_COLON = re.compile(r"\s*:(?:\s+|$)")
# Windows reserves these names for devices, also with an extension.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)", re.IGNORECASE)
_HALF_A_WORD = re.compile(rf"(?<=\S)\s+[^\s{HAN}\u3041-\u30ff]{{1,20}}$")

_NEAR = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
    | {"ı": "i", "‘": "'", "’": "'", "“": "'", "”": "'", "–": "-", "—": "-", "…": "..."}
)
_SAFE = re.compile(r"[^A-Za-z0-9 ._()'!,&+=@#\[\]-]")


def download_name(form: str, card: Mapping[str, Any], source: CardSource) -> str:
    """A name that is valid on every system, such as `Fencing tokens in practice.png`. One stem per export."""
    stems = (_stem(text) for text in (card["headline"], source.title))
    return next(filter(None, stems), _NAMELESS) + ENDINGS[form]


def _stem(text: str) -> str:
    chars = unicodedata.normalize("NFC", " ".join(text.split()))
    visible = _BLANK.sub("", "".join(char for char in chars if unicodedata.category(char) not in _UNSEEN))
    plain = _COLON.sub(" - ", visible).replace(":", "-").translate(_PLAIN)
    # A leading dot hides a file, and a leading dash looks like an option.
    stem = " ".join(plain.split()).strip(_EDGE)
    if _DEVICE.match(stem):
        stem = f"{_NAMELESS} {stem}"
    stem = _cut(stem).rstrip(_EDGE)
    return stem if any(map(str.isalnum, stem)) else ""


def _cut(text: str) -> str:
    length, size = 0, 0
    for cluster in _clusters(text):
        size += len(cluster.encode())
        if length + len(cluster) > _CHARACTERS or size > _BYTES:
            return text[:length] if text[length].isspace() else _HALF_A_WORD.sub("", text[:length])
        length += len(cluster)
    return text


def _clusters(text: str) -> list[str]:
    """Split into visible characters: a letter with its marks, an emoji with its skin tone, a flag."""
    clusters: list[str] = []
    for char in text:
        joins = unicodedata.category(char)[0] == "M" or "\U0001f3fb" <= char <= "\U0001f3ff"
        flag = clusters and _is_flag(char) and len(clusters[-1]) == 1 and _is_flag(clusters[-1])
        if clusters and (joins or flag):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def disposition(name: str) -> str:
    """The value of Content-Disposition (RFC 6266): the name in ASCII for old clients, and in UTF-8."""
    clean = "".join(char for char in name if unicodedata.category(char) not in _UNSEEN)
    return f"inline; filename=\"{_ascii(clean)}\"; filename*=UTF-8''{quote(clean, safe='!#$&+-.^_`|~')}"


def _ascii(name: str) -> str:
    """The name transliterated to ASCII. If a letter has no equivalent, the name becomes `card`."""
    ending = next((end for end in ENDINGS.values() if name.endswith(end)), "")
    near = unicodedata.normalize("NFKD", name.removesuffix(ending).translate(_NEAR))
    lost = any(char.isalnum() and not char.isascii() for char in near)
    stem = "" if lost else " ".join(_SAFE.sub("", near).split())
    return (stem if any(map(str.isalnum, stem)) else _NAMELESS) + ending
