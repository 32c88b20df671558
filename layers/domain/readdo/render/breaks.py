"""Places where a long word may be broken, so that an address of ninety letters stays on the card."""

import re

from readdo.render.script import HAN, HANGUL

BREAK = "\u200b"
LONGEST = 20  # a longer run is no word that one reads, but an address, a path, a name of code

# Han, Hangul and kana break anywhere by themselves; all else clings together up to the next space,
# and so do small kana, which must not begin a line.
_SMALL_KANA = "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー"
_RUN = re.compile(rf"(?:[^\s{HAN}{HANGUL}\u3041-\u30ff]|[{_SMALL_KANA}])+")
_SEAM = re.compile(r"(?<=[/?&=._:;,@%+#\-])(?=\w)|(?<=[a-z])(?=[A-Z])")
_CHUNK = re.compile(r".(?:.{0,11})[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u200c\u200d]*")


# Beside quotes and brackets not even a space is a place to break, by Unicode's rules.
_STUCK = re.compile(r"(?<=[(\[{\"'«‹“‘‚„「『（【《]) (?=\S)|(?<=\S) (?=[)\]}\"'»›”’“‘!,.:;?/、。」』）】》])")


def breakable(text: str) -> str:
    return _STUCK.sub(f" {BREAK}", _RUN.sub(lambda run: _broken(run.group()), text))


def _broken(run: str) -> str:
    if len(run) <= LONGEST:
        return run
    return BREAK.join(
        part if len(part) <= LONGEST else BREAK.join(_CHUNK.findall(part)) for part in _SEAM.split(run) if part
    )


def longest_pieces(text: str, count: int = 8) -> list[str]:
    """The pieces that cannot be broken, the longest ones: the type must be small enough for each."""
    pieces = (piece for run in _RUN.findall(text) for piece in run.split(BREAK))
    return sorted(dict.fromkeys(pieces), key=lambda piece: (-len(piece), piece))[:count]
