"""The headline: the subject, and a claim, gain or step that no point repeats."""

import re
from collections.abc import Sequence

from .comparison_clauses import gains, points_back
from .cues import gives_orders
from .field_text import cut
from .filler_lines import is_pad
from .intent_object import topic
from .language import Language, script_language
from .number_count import figures
from .rank import repeats
from .standalone import standalone
from .stemming import terms
from .steps import is_steps, split_steps
from .task_words import claim
from .title_cleanup import site_free

HEADLINE = 90
_LEAST_TAIL = 3
_LEAST = 10
# A tail that shares this part of the title's terms would repeat the title.
_REPEATED = 0.6
# "In 5 steps: …", "Steps 1–2 of 5: …", 共 5 步：…, 第 1–2 步（共 5 步）：…
_COUNT = re.compile(r"\d+(?= steps?:)|(?<=of )\d+(?=: )|(?<=共 )\d+")
_DULL = re.compile(
    r"(?:home(?: ?page)?|index|untitled|document|article|blog|post"
    r"|new tab|首页|无标题|文章|正文|http\S*|www\.\S*)\W*\Z",
    re.I,
)
_ASKS = re.compile(r"[?？]\Z|^(?:how|why|what|when|which|should) |什么|怎么|如何|为什么|谁|多久|该不该|要不要", re.I)
_SUBJECT = re.compile(
    r"(?:what|how) (?:(?:the|we|i|our) )?(?P<what>.{8,60}?) (?:found|finds|showed|shows?|taught us|tells us|means)\Z",
    re.I,
)


def headline(
    title: str, intent: str, points: Sequence[str], others: Sequence[str], insight: str, language: Language
) -> str:
    """`others` are sentences of the text that are not among the points."""
    fresh = [line for line in others if not repeats(line, [insight])]
    name = _meaningful(title)
    lines = [point for point in points if not is_pad(point)]
    if not name:
        return _untitled(intent, lines, fresh, others, language)
    tongue = script_language(name)
    subject = _subject(name)
    colon = _joint(subject, tongue)
    # A Chinese character is as wide as two Latin letters.
    room = (HEADLINE if tongue == "en" else HEADLINE // 2) - len(subject) - len(colon)
    candidates = _tails(name, intent, lines, others if _open(name) else fresh, tongue, room)
    tails = [one for one in candidates if _LEAST_TAIL <= len(one) <= room and not repeats(one, [name])]
    whole = f"{subject}{colon}{tails[0]}" if tails else name
    return cut(whole if len(whole) >= _LEAST else _short(name, language), HEADLINE)


def _short(name: str, language: Language) -> str:
    return f"{name}：原文的三个要点" if language == "zh" else f"{name}: three points from the text"


def _open(name: str) -> bool:
    """True for a question or a very short title, which needs a tail even if the insight repeats it."""
    return len(name) < _LEAST or bool(_ASKS.search(name))


def _subject(name: str) -> str:
    """The subject within a title: "the trial" in "What the trial found"."""
    match = _SUBJECT.match(name)
    what = match["what"] if match else name
    return what[:1].upper() + what[1:]


def _joint(name: str, language: Language) -> str:
    if name.endswith(("?", "!", "？", "！")):
        return " " if language == "en" else ""
    # Avoid a second colon in the headline.
    return " — " if ":" in name else "——" if "：" in name else "：" if language == "zh" else ": "


def _untitled(
    intent: str, lines: Sequence[str], fresh: Sequence[str], others: Sequence[str], language: Language
) -> str:
    """The headline without a title: a claim of the text, or else the intent with steps or claims."""
    most = HEADLINE if language == "en" else HEADLINE // 2
    claims = [*_gains(lines, fresh, intent), *_claims(fresh, most)]
    whole = next((one for one in claims if _LEAST <= len(one) <= most), "")
    if whole:
        return whole[:1].upper() + whole[1:]
    about = topic(intent, language)
    about, colon = about[:1].upper() + about[1:], "：" if language == "zh" else ": "
    room = most - len(about) - len(colon)
    parts = [part for line in others if (part := claim(line, room)) and not points_back(part)]
    tail = next((one for one in [*_steps(lines, language, room), *_claims(others, room), *parts] if one), "")
    plain = f"关于{about}的三个要点" if language == "zh" else f"Three points on {topic(intent, language)}"
    return cut(f"{about}{colon}{tail}" if tail else plain, HEADLINE)


def _steps(lines: Sequence[str], language: Language, room: int) -> tuple[str, str]:
    """The first steps that fit, and the number of steps."""
    line = next((line for line in lines if is_steps(line)), "")
    count = _COUNT.search(line)
    joined = ""
    for step in split_steps(line) if line else []:
        text = step if language == "zh" or step[1:2].isupper() else step[:1].lower() + step[1:]
        longer = f"{joined}{'，' if language == 'zh' else ', '}{text}" if joined else text
        if len(longer) > room or script_language(text) != language:
            break
        joined = longer
    number = f"{count.group()} 个步骤" if count and language == "zh" else f"{count.group()} steps" if count else ""
    return joined, number


def _meaningful(title: str) -> str:
    name = site_free(title)
    meaningful = sum(char.isalpha() for char in name) >= 2 and not _DULL.match(name) and not gives_orders(name)
    return cut(name.rstrip("。.：:"), HEADLINE) if meaningful else ""


def _tails(
    name: str, intent: str, lines: Sequence[str], others: Sequence[str], language: Language, room: int
) -> list[str]:
    """Candidates for the tail: gains, steps, and other claims."""
    tails = [] if figures(name) > 1 else _gains(lines, others, f"{name} {intent}")
    own = frozenset(terms(name))
    steps, number = ("", "") if any(map(str.isdigit, name)) else _steps(lines, language, room)
    tails += [steps, *_claims([line for line in others if not repeats(line, [name])], room), number]
    return [one for one in tails if len(own & frozenset(terms(one))) < _REPEATED * max(len(own), 2)]


def _gains(lines: Sequence[str], others: Sequence[str], about: str) -> list[str]:
    """Gains that no point begins with, so that the card does not repeat them."""
    clauses = gains([*lines, *others], about)
    return [one for one in clauses if not any(point.startswith(one[:12]) for point in lines)]


def _claims(lines: Sequence[str], room: int) -> list[str]:
    """Complete sentences only, because a cut-off clause is not a headline."""
    claims = [(claim(line, room), line) for line in lines]
    return [one for one, line in claims if one and len(one) + 2 >= len(standalone(line)) and not points_back(one)]
