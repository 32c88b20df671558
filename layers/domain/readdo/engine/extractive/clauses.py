"""Split sentences into clauses, for texts of only one or two sentences."""

import re
from dataclasses import replace

from .language import count_han
from .rank import repeats
from .sentences import Sentence
from .stemming import terms

_STRONG = re.compile(r"[；。]|;(?=\s)| — |——")
_WEAK = re.compile(r"，|,(?= (?:and|but|so|because|while|which|or|then|yet|if|when|as)\b)")
_LEAST = 14


def width(text: str) -> int:
    return len(text) + count_han(text)


def clauses(sentences: list[Sentence], count: int) -> list[Sentence]:
    """Split the sentences at pauses, the most even split first, until there are `count` parts."""
    parts = list(sentences)
    while len(parts) < count:
        cuts = [(rank, at, halves) for at, part in enumerate(parts) for rank, halves in _halves(part.text)]
        if not cuts:
            break
        _, at, halves = max(cuts, key=lambda one: (one[0], -one[1]))
        parts[at : at + 1] = [replace(parts[at], text=half, terms=frozenset(terms(half))) for half in halves]
    texts = [part.text for part in parts]
    distinct = all(not repeats(text, texts[:at]) for at, text in enumerate(texts))
    return parts if distinct else sentences


def _halves(text: str) -> list[tuple[tuple[bool, int], tuple[str, str]]]:
    out = []
    for strong, pause in ((True, _STRONG), (False, _WEAK)):
        for match in pause.finditer(text):
            one, other = text[: match.start()].strip(), text[match.end() :].strip()
            least = min(width(one), width(other))
            if least >= _LEAST:
                out.append(((strong, least), (one, other)))
    return out
