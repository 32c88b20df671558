"""Text that counts: no placeholders, addresses, repeated sentences or unseen characters."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

_DATE_PARTS = r"(?:Y{2,4}|M{1,2}|D{1,2}|年|月|日|[-/.\s])+"
_PLACEHOLDERS = re.compile(
    rf"[\[【（(]\s*{_DATE_PARTS}\s*[\]】）)]|YYYY(?:[-/.年]MM(?:[-/.月]DD日?)?)?"
    r"|\[链接\]|待补充|待完善|暂无|(?<![A-Za-z])(?:TODO|TBD)(?![A-Za-z])"
)
# ASCII only: Chinese text often follows an address without a blank.
_ADDRESS = re.compile(r"https?://[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", re.IGNORECASE)
_AFTER_AN_ADDRESS = ".,;:!?'*~_"
_HOST = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_][\w-]*|\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]+")
_NO_HOSTS = ("example.com", "example.org", "example.net", "example", "invalid", "localhost")
_SENTENCE_END = re.compile(r"(?:[。！？!?；;…]+|\.(?=\s|$|[A-Z\"“”'‘’)]))[\"”'’』」）)]*")
_SENTENCE_MIN = 10  # characters: a shorter one may occur again
_UNSEEN = ("Cc", "Cf", "Cs", "Cn", "Zs", "Zl", "Zp")
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
_CHECKBOX = re.compile(r"\s*\[[ xX]\]\s")


def without_placeholders(text: str) -> str:
    return _PLACEHOLDERS.sub("", text)


def has_content(text: str) -> bool:
    """True if a letter or a digit is left without placeholders."""
    return any(
        character.isalnum() and character not in _BLANK_LETTERS
        for character in without_placeholders(_CHECKBOX.sub("", text, count=1))
    )


def compact(text: str) -> str:
    """Without blanks, and without characters that are not seen."""
    return "".join(
        character
        for character in text
        if unicodedata.category(character) not in _UNSEEN and character not in _BLANK_LETTERS
    )


def addresses(text: str) -> Iterator[str]:
    """Bare addresses in a text, without the punctuation behind them."""
    for match in _ADDRESS.finditer(text):
        yield _without_tail(match[0])


def without_addresses(text: str) -> str:
    return _ADDRESS.sub(lambda match: match[0].removeprefix(_without_tail(match[0])), text)


def _without_tail(address: str) -> str:
    """Without punctuation behind the address, and brackets that it does not open."""
    open_round, open_square = address.count(")") - address.count("("), address.count("]") - address.count("[")
    end = len(address)
    while end:
        last = address[end - 1]
        if last == ")" and open_round > 0:
            open_round -= 1
        elif last == "]" and open_square > 0:
            open_square -= 1
        elif last not in _AFTER_AN_ADDRESS:
            break
        end -= 1
    return address[:end]


def is_resource(address: str) -> bool:
    """True for a web address that may exist: not an example, not a placeholder, not this machine."""
    if without_placeholders(address) != address:
        return False
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return False
    is_example = any(host == name or host.endswith(f".{name}") for name in _NO_HOSTS)
    return parts.scheme.casefold() in ("http", "https") and bool(_HOST.fullmatch(host)) and not is_example


class SentenceCounter:
    """Counts characters. A long sentence or line that comes again in the document counts once.

    A line break within a paragraph does not end a sentence, so repeated sentences are found however they are wrapped.
    """

    def __init__(self) -> None:
        self._sentences: set[str] = set()
        self._lines: set[str] = set()

    def count(self, text: str) -> int:
        sentences = _new(_sentences(without_placeholders(without_addresses(text))), self._sentences)
        return sum(len(compact(line)) for one in sentences for line in _new(one.split("\n"), self._lines))


def _sentences(text: str) -> Iterator[str]:
    first = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        yield text[first:end]
        first = end


def _new(texts: Iterable[str], seen: set[str]) -> Iterator[str]:
    """The short texts, and the long ones that were not seen before."""
    for text in texts:
        # The same text in quotes, without its stop or in capitals is the same.
        key = "".join(character for character in text.casefold() if character.isalnum())
        if len(key) < _SENTENCE_MIN:
            yield text
        elif key not in seen:
            seen.add(key)
            yield text
