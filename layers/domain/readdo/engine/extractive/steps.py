"""A numbered procedure in one line: to someone who wants to do it, the order is the point."""

import re

from .cues import gives_orders
from .fit import break_at, clean
from .intent import Match
from .language import Language
from .sentences import Document, plain

_LONGEST = 160
_STEP = 44
_STOP = re.compile(r"[：。；;!?！？，]|[:.](?=\s|\Z)|, | [—–-] | (?:and|so that|because|before|which) ")


def step_line(document: Document, found: Match, language: Language) -> str:
    blocks = [block for block in document.blocks if block.kind == "step"]
    texts = [plain(document.source[block.start : block.end]) for block in blocks]
    texts = [text for text in texts if any(char.isalnum() for char in text) and not gives_orders(text)]
    if not 3 <= len(texts) <= 12 or found.coverage < 0.3:
        return ""
    line = f"共 {len(texts)} 步：" if language == "zh" else f"In {len(texts)} steps: "
    shown = 0
    for text in texts:
        lead = _lead(text)
        if len(line) + len(lead) + 4 > _LONGEST:
            break
        line += (" → " if shown else "") + lead
        shown += 1
    return f"{line} → …" if shown < len(texts) else line


def _lead(text: str) -> str:
    short = next((part.strip(" =+") for part in _STOP.split(text) if len(part.strip()) >= 4), text)
    return clean(short if len(short) <= _STEP else short[: break_at(short, _STEP)].rstrip(" ,，=+"))
