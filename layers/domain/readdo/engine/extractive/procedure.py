"""Procedures over several sentences: "First mix … Then add … Finally, bake it", 首先…。然后…。"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .cues import gives_orders, is_noise
from .instructions import STORY_ZH, TRAILING, orders
from .language import script_language
from .sentences import Sentence
from .verbs import VERBS_ZH

_CUE_ZH = re.compile(
    r"(?:首先|第[一二三四五六七八九十]步?(?=[，：、])|其次|再次|然后|接着|随后|接下来|之后|最后|下一步)[，：、]?(?:要|记得)?"
)
_ACTS_ZH = (*VERBS_ZH, "用", "把", "将", "给", "压缩", "申请", "连接", "登录", "输入", "点击", "注册", "购买", "清理")
_CUE_EN = re.compile(r"(?:first|then|next|second|third|after|finally|last|to begin|to start)", re.IGNORECASE)


@dataclass(frozen=True)
class ProcedureStep:
    sentence: Sentence
    text: str


def procedure(sentences: Sequence[Sentence]) -> list[ProcedureStep]:
    """The longest run of instructions. One sentence between two steps may be an explanation."""
    best: list[ProcedureStep] = []
    run: list[ProcedureStep] = []
    idle, cued = 0, False
    for sentence in sentences:
        steps = [] if sentence.kind == "heading" or _is_noise(sentence.text) else _steps(sentence.text)
        if steps:
            run += [ProcedureStep(sentence, text) for text in steps]
            idle, cued = 0, cued or len(steps) > 1 or bool(_CUE_EN.match(sentence.text) or _CUE_ZH.match(sentence.text))
            if len(run) > max(len(best), 1 if cued else 2):
                best = list(run)
            continue
        idle += 1
        if idle > 1:
            run, cued = [], False
    return best


def _is_noise(text: str) -> bool:
    return gives_orders(text) or is_noise(text)


def _steps(text: str) -> list[str]:
    steps = orders(text)
    if steps or script_language(text) != "zh":
        return steps
    cue = _CUE_ZH.match(text)
    rest = text[cue.end() :].strip(TRAILING) if cue else ""
    return [rest] if rest.startswith(_ACTS_ZH) and "了" not in rest[:8] and not STORY_ZH.search(text) else []
