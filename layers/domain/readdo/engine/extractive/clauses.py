"""Steps of a procedure, and clauses that make sense alone.

Steps are numbered, or in sentences such as "First mix … Then add … Finally, bake it". Clauses are independent
sentences, claims, changes in figures and counterarguments.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .field_text import clean, cut, repair_quotes
from .grammar import ARROW, STORY_ZH, TRAILING, gives_orders, has_role, idle, orders
from .intent import Match
from .language import Language, cue, figures, prefixes, script_language, terms, width
from .sentences import Document, Sentence, plain

_CUE_ZH = re.compile(
    r"(?:首先|第[一二三四五六七八九十]步?(?=[，：、])|其次|再次|然后|接着|随后|接下来|之后|最后|下一步)[，：、]?(?:要|记得)?"
)
_CUE_EN = re.compile(r"(?:first|then|next|second|third|after|finally|last|to begin|to start)", re.IGNORECASE)
_LONGEST = 176
_LABEL = re.compile(r"[A-Z][a-z]{2,14}: (?=\w)|(?:周[一二三四五六日天]|第[一二三四五六七八九十]+[天周])：(?=\w)")
_STEPS_LINE = re.compile(r"Steps? \d+(?:–\d+)? of \d+: |In \d+ steps: |共 \d+ 步：|第 \d+(?:–\d+)? 步（共 \d+ 步）：")
_LEAST, _MOST = 3, 12
_ON_TOPIC = 0.2
_NOT_TOO_SHORT = 24
# Maximum width of a step; the smaller one if all steps fit then.
_STEP = (60, 44)
_STOP = re.compile(r"[：。；;!?！？，]|[:.](?=\s|\Z)|, | [—–-] | (?:and|so that|because|before|which) ")
# Positions where a step may be cut without breaking a phrase.
_WEAK = re.compile(r" (?:that|who|where|when|while|until|by|with|for|in|on|at|from|to|as|than|if|per|of|instead) ")
_PAUSE = re.compile(
    r"[，；。：]|[,;:](?=\s)|\.(?=\s|\Z)|——| [—–] |[()（）]|[把将](?=[^，。]{2,12}从)| and (?=\w+ (?:\w+ ){0,2}"
    r"(?:fell|rose|dropped|grew|went|increased|decreased|declined|doubled|halved)\b)"
)
# 超过百分之十五的那一组 is only a subject without a statement.
_HANGS = re.compile(r"的那?[^，]{0,3}\Z|[里中时后前]\Z|^到第")
_TURN = re.compile(r", but (?=\w)|，(?:但是?|不过|然而|代价是)(?=.{5})")
_FEW_ZH = re.compile("[一二两三四五六七八九十][次个条天成倍]")
_ENDS = re.compile(r"[，；。：]|[,;:](?=\s)|\.(?=\s|\Z)|——| [—–] ")
_LEAST_WIDTH = 12
_THEY = re.compile(r"\b(?:it|they|them|he|she|this)\b|[它他她]们?", re.IGNORECASE)
# Shorter sentences with a pronoun, such as "It will not.", say nothing alone.
_SHORT = 48
_SPEAKER = re.compile(r"(?:Q|A|Host|Interviewer|Answer|Question|问|答|主持人|记者)\s?[:：]\s*")
_LEAST_CLAIM = {"en": 18, "zh": 7}
# The end of a clause. In English, a comma counts only before a conjunction, as it may follow a bare subject.
_CLAIM_END = re.compile(r"[；，]|;(?=\s)|,(?= (?:and|but|so|because|while|although|whereas|yet)\b)| [—–] |——")
_RELATIVE = re.compile(r"\s*[,，]\s*(?:which|who|whose|where)\b")


@dataclass(frozen=True)
class ProcedureStep:
    sentence: Sentence
    text: str


def procedure(sentences: Sequence[Sentence]) -> list[ProcedureStep]:
    """The longest run of instructions. One sentence between two steps may be an explanation."""
    best: list[ProcedureStep] = []
    run: list[ProcedureStep] = []
    gap, cued = 0, False
    for sentence in sentences:
        steps = [] if sentence.kind == "heading" or idle(sentence.text) else _instructions(sentence.text)
        if steps:
            run += [ProcedureStep(sentence, text) for text in steps]
            gap, cued = 0, cued or len(steps) > 1 or bool(_CUE_EN.match(sentence.text) or _CUE_ZH.match(sentence.text))
            if len(run) > max(len(best), 1 if cued else 2):
                best = list(run)
            continue
        gap += 1
        if gap > 1:
            run, cued = [], False
    return best


def _instructions(text: str) -> list[str]:
    steps = orders(text)
    if steps or script_language(text) != "zh":
        return steps
    begin = _CUE_ZH.match(text)
    rest = text[begin.end() :].strip(TRAILING) if begin else ""
    acts = rest.startswith(prefixes("verbs_zh") + prefixes("procedure_verbs_zh")) and "了" not in rest[:8]
    return [rest] if acts and not STORY_ZH.search(text) else []


def step_lines(document: Document, overlap: Match, language: Language) -> tuple[list[str], list[Sentence]]:
    """The steps in one line, or in up to three lines if the text has little else, with their sentences.

    Empty if there is no procedure, or if it is off the topic of the intent.
    """
    texts, sources = _numbered(document)
    if len(texts) < _LEAST:
        prose_steps = procedure([one for one in document.body if one.kind != "step"])
        sources = list(dict.fromkeys(step.sentence for step in prose_steps))
        # If all steps are in one sentence, the sentence itself is better.
        texts = [step.text for step in prose_steps] if len(sources) > 1 else []
    if not _LEAST <= len(texts) <= _MOST or overlap.coverage < _ON_TOPIC:
        return [], []
    beside = sum(1 for one in document.body if one not in sources and width(one.text) >= _NOT_TOO_SHORT)
    line = _single_line(texts, language) if beside > 1 else ""
    return ([line] if line else _groups(texts, 3 - beside, language)), sources


def _single_line(texts: Sequence[str], language: Language) -> str:
    line = f"共 {len(texts)} 步：" if language == "zh" else f"In {len(texts)} steps: "
    for most in _STEP:
        leads = [_lead(text, most) for text in texts]
        whole = line + f" {ARROW} ".join(leads)
        if len(whole) <= _LONGEST:
            return whole
    return _first(line, leads)


def _groups(texts: Sequence[str], lines: int, language: Language) -> list[str]:
    """Distribute the steps over the lines, in order."""
    out: list[str] = []
    lines, total, at = max(1, min(3, lines)), len(texts), 0
    for lines_left in range(lines, 0, -1):
        size = -(-(total - at) // lines_left)
        group = texts[at : at + size]
        span = f"{at + 1}–{at + size}" if size > 1 else f"{at + 1}"
        head = (
            f"第 {span} 步（共 {total} 步）："
            if language == "zh"
            else f"Step{'s' if size > 1 else ''} {span} of {total}: "
        )
        room = (_LONGEST - len(head) - 3 * (size - 1)) // size
        out.append(head + f" {ARROW} ".join(_whole(text, room) for text in group))
        at += size
    return out


def _whole(text: str, room: int) -> str:
    line = clean(text).rstrip("。.；;，,")
    return _large(line if len(line) <= room else _lead(line, room))


def _large(step: str) -> str:
    return step[:1].upper() + step[1:]


def _numbered(document: Document) -> tuple[list[str], list[Sentence]]:
    texts = []
    for block in document.blocks:
        text = plain(document.text[block.start : block.end]) if block.kind == "step" else ""
        if any(char.isalnum() for char in text) and not gives_orders(text):
            texts.append(text)
    return texts, [one for one in document.sentences if one.kind == "step"]


def _first(line: str, leads: list[str]) -> str:
    fitting: list[str] = []
    for lead in leads:
        if len(line) + sum(len(one) + 3 for one in fitting) + len(lead) + 4 > _LONGEST:
            break
        fitting.append(lead)
    return line + f" {ARROW} ".join([*fitting, "…"]) if fitting else ""


def is_steps(line: str) -> bool:
    return ARROW in line or bool(_STEPS_LINE.match(line))


def split_steps(line: str) -> list[str]:
    """Split a line of steps into its steps."""
    steps = re.split("[:：] ?", line, maxsplit=1)[-1].split(f" {ARROW} ")
    return [step for step in steps if step.strip("… ") and not step.endswith("…")]


def _lead(text: str, most: int) -> str:
    label = _LABEL.match(text)
    # In "Monday: set up the laptop" the label is not a step.
    if label and len(text) > label.end():
        return label.group().rstrip() + " " * text[: label.end()].isascii() + _lead(text[label.end() :], most)
    short = next((part.strip(" =+") for part in _STOP.split(text) if len(part.strip()) >= 4), text)
    if len(short) <= most:
        return _large(clean(short))
    ends = [match.start() for match in _WEAK.finditer(short) if 12 <= match.start() <= most]
    return _large(clean(short[: ends[-1]]) if ends else cut(short, max(most, _STEP[0])))


def standalone(text: str) -> str:
    """The text without its opening. Unchanged if the rest would point back or be too short."""
    text = _SPEAKER.sub("", text, count=1) if _SPEAKER.match(text) else text
    tie = cue("sentence_ties").match(text)
    rest = text[tie.end() :] if tie else text
    whole = tie and len(rest) >= _LEAST_WIDTH and not cue("refers_back").match(rest)
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
        complete = (
            width(clause) >= _LEAST_WIDTH and len(clause) <= room and not points_back(clause) and "…" not in clause
        )
        if complete and (clause.isascii() is False or clause.count(" ") > 1):
            return clause
    return ""


def _measured(text: str) -> bool:
    return has_role("figure", text) or figures(text) > 0 or bool(_FEW_ZH.search(text))


def _untied(clause: str) -> str:
    tie = cue("clause_ties").match(clause)
    return clause[tie.end() :].strip() if tie else clause
