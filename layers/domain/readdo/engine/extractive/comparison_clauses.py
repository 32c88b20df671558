"""Clauses about changes in figures, and clauses with a counterargument."""

import re
from collections.abc import Sequence

from .clauses import width
from .field_text import clean
from .number_count import figures
from .quotes import repair_quotes
from .sentence_roles import has_role
from .stemming import terms
from .steps import is_steps

_PAUSE = re.compile(
    r"[，；。：]|[,;:](?=\s)|\.(?=\s|\Z)|——| [—–] |[()（）]|[把将](?=[^，。]{2,12}从)| and (?=\w+ (?:\w+ ){0,2}"
    r"(?:fell|rose|dropped|grew|went|increased|decreased|declined|doubled|halved)\b)"
)
_TIES = re.compile(
    r"(?:after|in|within|over|for) (?:\w+ ){1,3}(?:years?|months?|weeks?|days?) (?=\w+ \w+ \w+)"
    r"|(?:which|and|but|so|because|while|then|that|who|or|roughly|whereas|where|as)\s+"
    r"|(?:但是|但|而且|而|并且|并|因为|所以|因此|从而|也|又|却|就|其中)|[^，。]{1,4}(?:以后|之后)(?=.{4})",
    re.IGNORECASE,
)
CHANGES = re.compile(
    r"\b(?:cut|cuts|fell|fallen|falls?|risen|rose|rises?|dropped|grew|saved?|went|from|reduc\w+|increas\w+|declin\w+|down|up|less"
    r"|more|fewer|faster|slower|doubled|halved|tripled)\b"
    r"|从.+[到至]|下降|上升|增长|增加|减少|降到|降至|升到|升至|涨了?|跌了?|提高|缩短|节省|省下|多了|少了|小了|快了|翻了|降低|达到|超过|突破",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:it|its|they|he|she|his|her|their|ours?|mine|this|that|these|those|two thirds|some|most)\b|[它他她这那]",
    re.IGNORECASE,
)
# "14,000 less than a year ago", 同比增长7.3%: the subject is before the pause.
_BARE = re.compile(
    r"[$€£]?\d|(?:down|up|from|more|less|fewer|faster|slower|about|roughly|nearly|almost|by"
    r"|fell|rose|dropped|grew|went|saved|doubled|halved|tripled|increased|declined)\b"
    r"|(?:同比|环比|大约|约|近|平均)?(?:下降|上升|增长|增加|减少|降到|降至|升到|升至|涨|跌|提高|缩短|节省|省下|多了|少了|翻|降低|从\d)",
    re.IGNORECASE,
)
# 超过百分之十五的那一组 is only a subject without a statement.
_HANGS = re.compile(r"的那?[^，]{0,3}\Z|[里中时后前]\Z|^到第")
_AGAINST = re.compile(
    r"(?:but|however|yet|critics say(?: that)?|the authors? warns?(?: that)?),? "
    r"|(?:但是?|不过|然而|代价是|缺点是|要注意的是|批评者(?:说|认为)|风险是)[，,：:]?",
    re.I,
)
_TURN = re.compile(r", but (?=\w)|，(?:但是?|不过|然而|代价是)(?=.{5})")
_FEW_ZH = re.compile("[一二两三四五六七八九十][次个条天成倍]")
_ENDS = re.compile(r"[，；。：]|[,;:](?=\s)|\.(?=\s|\Z)|——| [—–] ")
_LEAST = 12


def points_back(text: str) -> bool:
    return bool(_POINTS_BACK.match(text))


def gains(lines: Sequence[str], about: str = "") -> list[str]:
    """Clauses about a change in figures, sorted by closeness to the subject."""
    clauses: list[str] = []
    prices: set[str] = set()
    for line in (line for line in lines if not is_steps(line)):
        for clause in _PAUSE.split(clean(line).replace(", however,", "")):
            text = _untied(clause.strip())
            complete = not points_back(text) and "…" not in text and not _BARE.match(text)
            complete = complete and not _HANGS.search(text)
            if complete and _measured(text) and CHANGES.search(text):
                clauses.append(repair_quotes(text))
                prices |= {repair_quotes(text)} if _AGAINST.match(line) else set()
    subject = set(terms(about))
    near = {text: bool(subject & set(terms(text))) for text in clauses}
    return sorted(
        dict.fromkeys(clauses), key=lambda text: (text in prices, not near[text], -min(2, figures(text)), len(text))
    )


def against(lines: Sequence[str], room: int) -> str:
    """The first clause after a "but" that makes sense alone. Empty if there is none."""
    for line in lines:
        opening, turn = _AGAINST.match(line), _TURN.search(line)
        rest = line[opening.end() :] if opening else line[turn.end() :] if turn else ""
        clause = repair_quotes(_ENDS.split(rest, maxsplit=1)[0].strip())
        complete = width(clause) >= _LEAST and len(clause) <= room and not points_back(clause) and "…" not in clause
        if complete and (clause.isascii() is False or clause.count(" ") > 1):
            return clause
    return ""


def _measured(text: str) -> bool:
    return has_role("figure", text) or figures(text) > 0 or bool(_FEW_ZH.search(text))


def _untied(clause: str) -> str:
    tie = _TIES.match(clause)
    return clause[tie.end() :].strip() if tie else clause
