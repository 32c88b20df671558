"""The headline: what the text is about, and what it claims, gains or gives; never a point said twice."""

import re
from collections.abc import Sequence

from .certain import certain
from .cues import gives_orders
from .figures import figures
from .fit import clean, cut
from .language import Language, script_language
from .pads import is_pad
from .phrases import site_free
from .quotes import mended
from .rank import repeats
from .steps import is_steps
from .topic import enumerated, said
from .wording import claim, told_subjects

HEADLINE = 90
_LEAST_TAIL = 3
# Beside so short a title even one word tells more.
_SHORT = 12
# "In 5 steps: …", "Steps 1–2 of 5: …", 共 5 步：…, 第 1–2 步（共 5 步）：…
_COUNT = re.compile(r"\d+(?= steps?:)|(?<=of )\d+(?=: )|(?<=共 )\d+")
_DULL = re.compile(
    r"(?:home(?: ?page)?|index|untitled|document|article|blog|post"
    r"|new tab|首页|无标题|文章|正文|http\S*|www\.\S*)\W*\Z",
    re.I,
)
_PAUSE = re.compile(r"[，；。：]|[,;:](?=\s)|\.(?=\s|\Z)|——| [—–] |[()（）]|[把将](?=[^，。]{2,12}从)")
_TIES = re.compile(
    r"(?:which|and|but|so|because|while|then|that|who|or|roughly|whereas|where|as)\s+|(?:但是|但|而且|而|并且|并|因为|所以|因此|从而|也|又|却|就|其中)",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:cut|cuts|fell|rose|dropped|grew|saved?|went|from|reduc\w+|increas\w+|down|up|less|more|fewer|faster|slower)\b"
    r"|从.+[到至]|下降|上升|增长|减少|降到|降至|升到|升至|涨了?|跌了?|提高|缩短|节省|省下|多了|少了|小了|快了|翻了",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:it|its|they|he|she|his|her|their|ours?|mine|this|that|these|those|two thirds|some|most)\b|[它他她这那]",
    re.IGNORECASE,
)


def headline(title: str, intent: str, points: Sequence[str], others: Sequence[str], language: Language) -> str:
    """`others` are sentences of the text that are no points: what they claim is said nowhere else on the card."""
    name = _telling(title)
    lines = [point for point in points if not is_pad(point)]
    if not name:
        return _untitled(intent, lines, language)
    tongue = script_language(name)
    colon = _joint(name, tongue)
    # A Chinese character is as wide as two letters.
    room = (HEADLINE if tongue == "en" else HEADLINE // 2) - len(name) - len(colon)
    tails = [one for one in _tails(name, lines, others, tongue, room) if _LEAST_TAIL <= len(one) <= room]
    whole = f"{name}{colon}{tails[0]}" if tails else name
    return cut(whole if len(whole) >= 10 else f"{name}{colon}{said(intent, language, 60)}", HEADLINE)


def _joint(name: str, language: Language) -> str:
    if name.endswith(("?", "!", "？", "！")):
        return " " if language == "en" else ""
    # One colon in a headline is enough.
    return " — " if ":" in name else "——" if "：" in name else "：" if language == "zh" else ": "


def _untitled(intent: str, lines: Sequence[str], language: Language) -> str:
    wanted, subjects = said(intent, language, 44), told_subjects("", lines)
    about = _listed(subjects, language)
    if not about:
        return f"为{wanted}摘出的三个要点" if language == "zh" else f"Three points for {wanted}"
    about = about[:1].upper() + about[1:]
    colon = "：" if language == "zh" else ": "
    gain = next((one for one in _gains(lines) if len(one) + len(about) + len(colon) <= HEADLINE), "")
    steps = _steps(lines)
    if steps and not gain:
        about = (
            f"{steps} 个步骤，用到{about}，"
            if language == "zh"
            else f"{steps} steps with {_listed(subjects, language)}"
        )
    plain = f"用{about}来回答{wanted}" if language == "zh" and not steps else f"{about}回答{wanted}"
    plain = plain if language == "zh" else f"{about} for {wanted}"
    return cut(f"{about}{colon}{gain}" if gain else plain, HEADLINE)


def _steps(lines: Sequence[str]) -> int:
    return next((int(found.group()) for line in lines if is_steps(line) and (found := _COUNT.search(line))), 0)


def _listed(subjects: Sequence[str], language: Language) -> str:
    return "、".join(subjects) if language == "zh" else enumerated(subjects)


def _telling(title: str) -> str:
    name = site_free(title)
    telling = sum(char.isalpha() for char in name) >= 2 and not _DULL.match(name) and not gives_orders(name)
    return cut(name.rstrip("。.：:"), HEADLINE) if telling else ""


def _tails(name: str, lines: Sequence[str], others: Sequence[str], language: Language, room: int) -> list[str]:
    """What the text gains, the steps it gives, what else it claims, or at least what it speaks of."""
    subjects = [word for word in told_subjects(name, lines) if word.lower() not in name.lower()]
    listed = _listed(subjects, language)
    steps = _steps(lines)
    tails = [] if figures(name) else _gains(lines)
    if steps and str(steps) not in name:
        wide = f"，用到{listed}" if language == "zh" else f" with {listed}"
        tails.append(
            (f"{steps} 个步骤" if language == "zh" else f"{steps} steps") + (wide if len(subjects) > 1 else "")
        )
    claims = (claim(line, room) for line in others if not repeats(line, [name]))
    tails += [one for one in claims if one and not _POINTS_BACK.match(one)]
    return [*tails, listed] if len(subjects) > 1 or (subjects and len(name) < _SHORT) else tails


def _gains(lines: Sequence[str]) -> list[str]:
    """Clauses that tell of a change in figures and with which no point begins."""
    found: list[str] = []
    for line in (line for line in lines if not is_steps(line)):
        for clause in _PAUSE.split(clean(line)):
            text = _untied(clause.strip())
            begins = any(point.startswith(text[:12]) for point in lines)
            stands = not begins and not _POINTS_BACK.match(text) and "…" not in text
            if stands and certain("figure", text) and _CHANGES.search(text):
                found.append(mended(text))
    return sorted(found, key=lambda text: (-min(2, figures(text)), len(text)))


def _untied(clause: str) -> str:
    tie = _TIES.match(clause)
    return clause[tie.end() :].strip() if tie else clause
