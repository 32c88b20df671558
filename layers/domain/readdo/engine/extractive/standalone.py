"""Make a sentence independent of its context, by removing an opening such as "However,"."""

import re

from .cues import LEANING

_TIES = re.compile(
    r"(?:(?:however|but|and|so|also|then|finally|lastly|next|first|firstly|second|secondly|third|after (?:that|this)"
    r"|afterwards|in addition|furthermore|moreover|similarly|of course|therefore|thus|still|yet|besides|meanwhile"
    r"|in short|in fact|indeed|as a result|on the other hand|for example|for instance|again)\b(?:, ?| )"
    r"|(?:但是|但|不过|然而|可是|此外|另外|同时|而且|并且|所以|因此|于是|然后|随后|接着|接下来|首先|其次|再次|最后|最终"
    r"|当然|因为(?!.*所以)|总之|其实|例如|比如|以及|另一方面|与此同时)[，,]?\s*)",
    re.IGNORECASE,
)
# References to the previous sentence, such as "they" or "this".
_POINTS_BACK = re.compile(
    r"(?:this|that|these|those|it|its|they|their|them|he|she|his|her|such|both|another|here|there(?!\s+(?:is|are|was|were)))"
    r"\b|(?:这|那(?!么)|它|他|她|其(?!他|实|余)|该|此|对此|以上|如上|上述|前者|后者|两者)",
    re.IGNORECASE,
)
_THEY = re.compile(r"\b(?:it|they|them|he|she|this)\b|[它他她]们?", re.IGNORECASE)
_LEAST = 12
# Shorter sentences with a pronoun, such as "It will not.", say nothing alone.
_SHORT = 48


_SPEAKER = re.compile(r"(?:Q|A|Host|Interviewer|Answer|Question|问|答|主持人|记者)\s?[:：]\s*")


def standalone(text: str) -> str:
    """The text without its opening. Unchanged if the rest would point back or be too short."""
    text = _SPEAKER.sub("", text, count=1) if _SPEAKER.match(text) else text
    tie = _TIES.match(text)
    rest = text[tie.end() :] if tie else text
    if not tie or len(rest) < _LEAST or _POINTS_BACK.match(rest) or not (rest[0].isalnum() or rest[0] in "“「《`$"):
        return text
    return rest[0].upper() + rest[1:]


def dependence(text: str) -> float:
    """From 0 for an independent sentence to 1 for one that depends on the previous sentence."""
    alone = standalone(text)
    if _POINTS_BACK.match(alone):
        return 1.0
    if alone == text and (LEANING.match(text) or _TIES.match(text)):
        return 0.8
    opening = alone[: len(alone) // 3]
    return 0.5 if len(alone) < _SHORT and _THEY.search(opening) else 0.2 if _THEY.search(opening[:20]) else 0.0
