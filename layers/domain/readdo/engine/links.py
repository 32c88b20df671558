"""Links in a text that a model wrote: found by what programs make clickable, not by how they are usually written."""

import re
from collections.abc import Callable
from functools import cache

from publicsuffixlist import PublicSuffixList

_REST = r"[^\s<>\"'）)\]】」，。；]*"
_WITH_SCHEME = re.compile(
    rf"(?:[a-z][a-z0-9+.-]{{1,20}}://|www\.|mailto:){_REST}|(?:javascript|vbscript|data):\S*", re.I
)
_DOT = "[.．｡]"
# A name in ASCII ends where a Chinese letter begins; one in another script ends in a suffix of that script.
_HOST = re.compile(
    rf"(?<![a-z0-9_-])((?:[a-z0-9_-]+{_DOT})+(?:xn--[a-z0-9-]+|[a-z]{{2,63}}))(?![a-z0-9_-])((?:[:/?#@]{_REST})?)"
    rf"|([^\W_][\w-]*(?:{_DOT}[^\W_][\w-]*)*{_DOT}[^\W\d_a-zA-Z]{{2,20}})((?:[:/?#]{_REST})?)",
    re.I,
)
_NUMBERS = re.compile(rf"(?<!\d)\d{{1,3}}(?:\.\d{{1,3}}){{3}}[:/]{_REST}")
# Endings of files that are suffixes, too: `README.md` is no link, `x.README.md` and `README.md/x` are.
_OF_FILES = frozenset(["cc", "md", "ml", "mm", "pl", "ps", "py", "rs", "sh", "so", "tf"])


def replace_links(text: str, instead: Callable[[str], str]) -> str:
    text = _WITH_SCHEME.sub(lambda found: instead(found[0]), text)
    text = _NUMBERS.sub(lambda found: instead(found[0]), text)
    return _HOST.sub(lambda found: instead(found[0]) if _is_link(found) else found[0], text)


def _is_link(found: re.Match[str]) -> bool:
    labels = re.split(_DOT, (found[1] or found[3]).lower())
    if len(labels) == 2 and labels[1] in _OF_FILES and not (found[2] or found[4]):
        return False
    suffix = _suffixes().publicsuffix(".".join(labels), accept_unknown=False)
    return suffix is not None and suffix.count(".") + 1 < len(labels)


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
