"""Clauses that make sense alone: independent sentences, claims, changes in figures, counterarguments."""

import re
from collections.abc import Sequence

from .field_text import clean, repair_quotes
from .language import figures, script_language, width
from .lexicon import cue
from .roles import has_role
from .steps import is_steps
from .terms import terms

_PAUSE = re.compile(
    r"[，；。：]|[,;:](?=\s)|\.(?=\s|\Z)|——| [—–] |[()（）]|[把将](?=[^，。]{2,12}从)| and (?=\w+ (?:\w+ ){0,2}"
    r"(?:fell|rose|dropped|grew|went|increased|decreased|declined|doubled|halved)\b)"
)
# 超过百分之十五的那一组 is only a subject without a statement.
_HANGS = re.compile(r"的那?[^，]{0,3}\Z|[里中时后前]\Z|^到第")
_TURN = re.compile(r", but (?=\w)|，(?:但是?|不过|然而|代价是)(?=.{5})")
_FEW_ZH = re.compile("[一二两三四五六七八九十][次个条天成倍]")
_ENDS = re.compile(r"[，；。：]|[,;:](?=\s)|\.(?=\s|\Z)|——| [—–] ")
_LEAST = 12
_THEY = re.compile(r"\b(?:it|they|them|he|she|this)\b|[它他她]们?", re.IGNORECASE)
# Shorter sentences with a pronoun, such as "It will not.", say nothing alone.
_SHORT = 48
_SPEAKER = re.compile(r"(?:Q|A|Host|Interviewer|Answer|Question|问|答|主持人|记者)\s?[:：]\s*")
_LEAST_CLAIM = {"en": 18, "zh": 7}
# The end of a clause. In English, a comma counts only before a conjunction, as it may follow a bare subject.
_CLAIM_END = re.compile(r"[；，]|;(?=\s)|,(?= (?:and|but|so|because|while|although|whereas|yet)\b)| [—–] |——")
_RELATIVE = re.compile(r"\s*[,，]\s*(?:which|who|whose|where)\b")


def standalone(text: str) -> str:
    """The text without its opening. Unchanged if the rest would point back or be too short."""
    text = _SPEAKER.sub("", text, count=1) if _SPEAKER.match(text) else text
    tie = cue("sentence_ties").match(text)
    rest = text[tie.end() :] if tie else text
    whole = tie and len(rest) >= _LEAST and not cue("refers_back").match(rest)
    return rest[0].upper() + rest[1:] if whole and (rest[0].isalnum() or rest[0] in "“「《`$") else text


def dependence(text: str) -> float:
    """From 0 for an independent sentence to 1 for one that depends on the previous sentence."""
    alone = standalone(text)
    if cue("refers_back").match(alone):
        return 1.0
    if alone == text and (cue("leaning").match(text) or cue("sentence_ties").match(text)):
        return 0.8
    opening = alone[: len(alone) // 3]
    return 0.5 if len(alone) < _SHORT and _THEY.search(opening) else 0.2 if _THEY.search(opening[:20]) else 0.0


def points_back(text: str) -> bool:
    return bool(cue("clause_refers_back").match(text))


def claim(line: str, room: int) -> str:
    """The complete line if it fits, otherwise its first clauses. Empty if neither makes sense alone."""
    text = repair_quotes(standalone(clean(line))).strip().rstrip("。.；;，,：:…")
    if len(text) <= room and not clean(line).endswith("…"):
        return text
    least = _LEAST_CLAIM[script_language(text)]
    ends = [match.start() for match in _CLAIM_END.finditer(text) if match.start() <= room]
    fitting = text[: ends[-1]].rstrip() if ends else ""
    # In "The factory, which makes chips" the text before the comma is no claim.
    bare = bool(_RELATIVE.match(text[len(fitting) :])) or (fitting.isascii() and fitting.count(" ") < 4)
    complete = not bare and not cue("incomplete_opening").match(fitting) and repair_quotes(fitting) == fitting
    return fitting if width(fitting) >= least and len(fitting) >= least and complete else ""


def states_change(text: str) -> bool:
    return bool(cue("changes").search(text))


def gains(lines: Sequence[str], about: str = "") -> list[str]:
    """Clauses about a change in figures, sorted by closeness to the subject."""
    clauses: list[str] = []
    prices: set[str] = set()
    for line in (line for line in lines if not is_steps(line)):
        for clause in _PAUSE.split(clean(line).replace(", however,", "")):
            text = _untied(clause.strip())
            # "14,000 less than a year ago", 同比增长7.3%: the subject is before the pause.
            complete = not points_back(text) and "…" not in text and not cue("bare_change").match(text)
            complete = complete and not _HANGS.search(text)
            if complete and _measured(text) and states_change(text):
                clauses.append(repair_quotes(text))
                prices |= {repair_quotes(text)} if cue("counterargument").match(line) else set()
    subject = set(terms(about))
    near = {text: bool(subject & set(terms(text))) for text in clauses}
    return sorted(
        dict.fromkeys(clauses), key=lambda text: (text in prices, not near[text], -min(2, figures(text)), len(text))
    )


def against(lines: Sequence[str], room: int) -> str:
    """The first clause after a "but" that makes sense alone. Empty if there is none."""
    for line in lines:
        opening, turn = cue("counterargument").match(line), _TURN.search(line)
        rest = line[opening.end() :] if opening else line[turn.end() :] if turn else ""
        clause = repair_quotes(_ENDS.split(rest, maxsplit=1)[0].strip())
        complete = width(clause) >= _LEAST and len(clause) <= room and not points_back(clause) and "…" not in clause
        if complete and (clause.isascii() is False or clause.count(" ") > 1):
            return clause
    return ""


def _measured(text: str) -> bool:
    return has_role("figure", text) or figures(text) > 0 or bool(_FEW_ZH.search(text))


def _untied(clause: str) -> str:
    tie = cue("clause_ties").match(clause)
    return clause[tie.end() :].strip() if tie else clause
