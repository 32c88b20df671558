"""Break opportunities within long words such as URLs, so that they fit on the card."""

import re

from readdo.render.script_language import HAN, HANGUL

BREAK = "\u200b"
LONGEST = 20  # a longer run is not a normal word, but a URL, a path or an identifier

# Typst breaks Han, Hangul and kana anywhere. Other text breaks only at spaces. So do small kana, which must not
# begin a line.
_SMALL_KANA = "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー"
_RUN = re.compile(rf"(?:[^\s{HAN}{HANGUL}\u3041-\u30ff]|[{_SMALL_KANA}])+")
_SEAM = re.compile(r"(?<=[/?&=._:;,@%+#\-])(?=\w)|(?<=[a-z])(?=[A-Z])")
_CHUNK = re.compile(r".(?:.{0,11})[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u200c\u200d]*")
# By Unicode's rules, a space next to a quotation mark or bracket is not a break opportunity.
_STUCK = re.compile(r"(?<=[(\[{\"'«‹“‘‚„「『（【《]) (?=\S)|(?<=\S) (?=[)\]}\"'»›”’“‘!,.:;?/、。」』）】》])")


def breakable(text: str) -> str:
    return _STUCK.sub(f" {BREAK}", _RUN.sub(lambda run: _break_run(run.group()), text))


def _break_run(run: str) -> str:
    if len(run) <= LONGEST:
        return run
    return BREAK.join(
        part if len(part) <= LONGEST else BREAK.join(_CHUNK.findall(part)) for part in _SEAM.split(run) if part
    )


def longest_pieces(text: str, count: int = 8) -> list[str]:
    """The longest unbreakable pieces. The type size must be small enough for each of them."""
    pieces = (piece for run in _RUN.findall(text) for piece in run.split(BREAK))
    return sorted(dict.fromkeys(pieces), key=lambda piece: (-len(piece), piece))[:count]
