"""Find links in a model's text: everything that programs make clickable, not only usual notations."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_REST = r"[^\s<>\"'）)\]】」，。；]*"
_SCHEMES = r"(?:[a-z][a-z0-9+.-]{1,20}:(?://|\\/)|www\.|(?:mailto|tel|sms|magnet|xmpp|sips?|callto|facetime|skype|geo|irc|ftp):)"
_WITH_SCHEME = re.compile(rf"{_SCHEMES}{_REST}|(?:javascript|vbscript|data):\S*", re.I)
_MARKDOWN = re.compile(r"!?\[([^\]\n]*)\](?:\([^)\n]*\)?|\[[^\]\n]*\]|:\s*\S+)")
_NUMBERS = re.compile(rf"(?<!\d)\d{{1,3}}(?:\.\d{{1,3}}){{3}}[:/?#]{_REST}")
# A label may have characters of any script and symbols, but no whitespace or punctuation.
_DOT = r"(?:[.．｡]|(?<=[a-zA-Z0-9])。(?=[a-zA-Z]))"
_LABEL = r"[^\s.．｡。<>\"'`()\[\]{}（）【】「」《》，；：、！？…|\\/:?#@,;!*~=&%$^+]+"
_HOST = re.compile(rf"(@?)((?:{_LABEL}{_DOT})+{_LABEL})((?:[:/?#]{_REST})?)")
_IDEOGRAPHS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# In `请打开evil.com查看` the name begins after the last ideograph, and its suffix ends before the next one.
_ASCII_TAIL = re.compile(rf"(?<=[{_IDEOGRAPHS}])[A-Za-z0-9-]+$")
_ASCII_HEAD = re.compile(r"^(?:xn--[a-z0-9-]+|[a-z]{2,63})", re.I)
# File extensions that are also domain suffixes: `README.md` is no link; `x.README.md`, `README.md/x`, `a@b.md` are.
_OF_FILES = frozenset(["cc", "md", "ml", "mm", "pl", "ps", "py", "rs", "sh", "so", "tf"])


def replace_links(text: str, instead: Callable[[str], str]) -> str:
    text = _MARKDOWN.sub(lambda match: match[0] if instead(match[0]) else match[1], text)
    for pattern in (_WITH_SCHEME, _NUMBERS):
        text = pattern.sub(lambda match: instead(match[0]), text)
    return _HOST.sub(lambda match: _without_host(match, instead), text)


def _without_host(match: re.Match[str], instead: Callable[[str], str]) -> str:
    at, host, rest = match[1], match[2], match[3]
    labels = re.split(_DOT, host)
    before, labels[0] = _split_first(labels[0])
    last = labels[-1]
    suffix = _ASCII_HEAD.match(unicodedata.normalize("NFKC", last))
    after = ""
    if suffix and len(suffix[0]) < len(last):
        labels[-1], after = last[: len(suffix[0])], last[len(suffix[0]) :] + rest
        rest = ""
    if not _is_link(labels, at=bool(at), rest=bool(rest)):
        return match[0]
    link = host[len(before) : len(host) - (len(last) - len(labels[-1]))] + rest
    replacement = instead(link)
    return before + (at if replacement or not at else "") + replacement + after


def _split_first(label: str) -> tuple[str, str]:
    """Split off a prefix: Markdown underscores, or Chinese text before an ASCII name."""
    bare = label.lstrip("_")
    tail = _ASCII_TAIL.search(bare)
    name = tail[0] if tail else bare
    return label[: len(label) - len(name)], name


def _is_link(labels: list[str], *, at: bool, rest: bool) -> bool:
    names = [unicodedata.normalize("NFKC", label).lower().strip("_") for label in labels]
    if not all(names):
        return False
    if len(names) == 2 and names[1] in _OF_FILES and not at and not rest:
        return False
    suffix = _suffixes().publicsuffix(".".join(names), accept_unknown=False)
    return suffix is not None and suffix.count(".") + 1 < len(names)


@cache
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - 30 ms, needed only for texts with a dot

    return PublicSuffixList()
