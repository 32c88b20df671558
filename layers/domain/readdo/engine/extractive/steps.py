"""A numbered procedure in one line: to someone who wants to do it, the order is the point."""

import re

from .cues import gives_orders
from .fit import clean, cut
from .intent import Match
from .language import Language
from .sentences import Document, plain

ARROW = "→"
_LONGEST = 160
# The shorter if all steps are shown then; shorter still, and they would say nothing.
_STEP = (60, 44)
_STOP = re.compile(r"[：。；;!?！？，]|[:.](?=\s|\Z)|, | [—–-] | (?:and|so that|because|before|which) ")
# Where a step may end without ending in the middle of a phrase.
_WEAK = re.compile(r" (?:that|who|where|when|while|until|by|with|for|in|on|at|from|to|as|than|if|per|of|instead) ")


def step_line(document: Document, found: Match, language: Language) -> str:
    blocks = [block for block in document.blocks if block.kind == "step"]
    texts = [plain(document.source[block.start : block.end]) for block in blocks]
    texts = [text for text in texts if any(char.isalnum() for char in text) and not gives_orders(text)]
    if not 3 <= len(texts) <= 12 or found.coverage < 0.3:
        return ""
    line = f"共 {len(texts)} 步：" if language == "zh" else f"In {len(texts)} steps: "
    for most in _STEP:
        leads = [_lead(text, most) for text in texts]
        whole = line + f" {ARROW} ".join(leads)
        if len(whole) <= _LONGEST:
            return whole
    return _first(line, leads)


def _first(line: str, leads: list[str]) -> str:
    shown: list[str] = []
    for lead in leads:
        if len(line) + sum(len(one) + 3 for one in shown) + len(lead) + 4 > _LONGEST:
            break
        shown.append(lead)
    return line + f" {ARROW} ".join([*shown, "…"]) if shown else ""


def shown_steps(line: str) -> list[str]:
    """The steps of such a line again."""
    steps = re.split("[:：] ?", line, maxsplit=1)[-1].split(f" {ARROW} ")
    return [step for step in steps if step.strip("… ") and not step.endswith("…")]


def _lead(text: str, most: int) -> str:
    short = next((part.strip(" =+") for part in _STOP.split(text) if len(part.strip()) >= 4), text)
    if len(short) <= most:
        return clean(short)
    ends = [match.start() for match in _WEAK.finditer(short) if 12 <= match.start() <= most]
    return clean(short[: ends[-1]]) if ends else cut(short, _STEP[0])
