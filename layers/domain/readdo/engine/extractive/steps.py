"""Steps of a procedure: numbered, or in sentences such as "First mix … Then add … Finally, bake it"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .field_text import clean, cut
from .intent import Match
from .language import Language, script_language, width
from .lexicon import prefixes
from .roles import ARROW, STORY_ZH, TRAILING, gives_orders, idle, orders
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
    cue = _CUE_ZH.match(text)
    rest = text[cue.end() :].strip(TRAILING) if cue else ""
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
