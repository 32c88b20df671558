"""Find stems in a text, and return them in the writer's spelling."""

from collections.abc import Set

from .sentences import Document
from .stemming import stem, words

_MOST = 5


def spellings_of(document: Document, stems: Set[str]) -> tuple[str, ...]:
    out: dict[str, str] = {}
    if not stems:
        return ()
    for sentence in document.sentences:
        if sentence.terms.isdisjoint(stems):
            continue
        for word in words(sentence.text):
            key = stem(word.lower())
            if key in stems:
                out.setdefault(key, word.lower() if word == word.capitalize() else word)
        for pair in sorted(sentence.terms & stems, key=sentence.text.find):
            if not pair.isascii():
                out.setdefault(pair, pair)
        if len(out) >= _MOST:
            break
    return tuple(list(dict.fromkeys(out.values()))[:_MOST])
