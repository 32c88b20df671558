"""The card, complete and ready to post, with a headline that adds a claim or gain to the subject."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from readdo.engine.render_spec import render_spec

from .clauses import claim, gains, is_steps, points_back, split_steps, standalone
from .facts import is_pad
from .field_text import clean, cut, long_enough, repair_quotes, site_free
from .grammar import gives_orders, orders
from .keyterms import hashtag, tags
from .language import Language, cue, figures, output_language, script_language, terms, widen_punctuation
from .purpose import OUTPUT_TYPES
from .rank import repeats
from .sentences import plain
from .topic import NO_TOPIC, topic

_CAPTION = 600
_ETA_ZH = {
    "10m": "10 分钟",
    "20m": "20 分钟",
    "30m": "30 分钟",
    "45m": "45 分钟",
    "1h": "1 小时",
    "2h": "2 小时",
    "3h+": "3 小时以上",
}
_HEADLINE = 90
_LEAST_TAIL = 3
_LEAST = 10
# A tail that shares this part of the title's terms would repeat the title.
_REPEATED = 0.6
# "In 5 steps: …", "Steps 1–2 of 5: …", 共 5 步：…, 第 1–2 步（共 5 步）：…
_COUNT = re.compile(r"\d+(?= steps?:)|(?<=of )\d+(?=: )|(?<=共 )\d+")
_ASKS = re.compile(r"[?？]\Z|^(?:how|why|what|when|which|should) |什么|怎么|如何|为什么|谁|多久|该不该|要不要", re.I)
_SUBJECT = re.compile(
    r"(?:what|how) (?:(?:the|we|i|our) )?(?P<what>.{8,60}?) (?:found|finds|showed|shows?|taught us|tells us|means)\Z",
    re.I,
)


def card(
    *,
    intent: str,
    summary: Mapping[str, Any],
    score: Mapping[str, Any],
    todos: Mapping[str, Any],
    title: str = "",
    language: str = "",
    theme: str = "LIGHT",
    layout: str = "CARD_4x5_V1",
) -> dict[str, Any]:
    tongue = output_language(language, intent)
    content = {
        "points": [long_enough(repair_quotes(cut(bullet, 159)), 8, tongue) for bullet in summary["bullets"]],
        "insight": long_enough(repair_quotes(cut(summary["insight"], 219)), 12, tongue),
        "action": _action(todos["todos"], tongue),
    }
    quotes = [*summary["evidence"], *({"quote": one["quote"]} for one in score["evidence"])]
    head = _headline(title, intent, summary["bullets"], _others(quotes, summary), summary["insight"], tongue)
    content = {"headline": head, **content}
    own = [bullet for bullet in summary["bullets"] if not is_pad(bullet)]
    hashtags = [hashtag(tag) for tag in tags(intent, title, own, 5)]
    evidence = list({one["quote"]: dict(one) for one in reversed(quotes)}.values())[::-1]
    return {
        **content,
        "hashtags": hashtags,
        "caption": _caption(content, hashtags),
        "render_spec": render_spec(content, theme, layout),
        "evidence": evidence[:4],
    }


def _others(quotes: Sequence[Mapping[str, Any]], summary: Mapping[str, Any]) -> list[str]:
    """Complete sentences of the text that are not among the points."""
    lines = [plain(widen_punctuation(one["quote"])) for one in quotes]
    whole = [line for line in lines if line.endswith((".", "。")) and not gives_orders(line)]
    points = [
        *summary["bullets"],
        *(step for line in summary["bullets"] if is_steps(line) for step in split_steps(line)),
    ]
    return [line for line in whole if not repeats(standalone(line), points) and not orders(line)]


def _action(tasks: Sequence[Mapping[str, Any]], language: Language) -> str:
    task = next((one for one in tasks if one["type"] in OUTPUT_TYPES), tasks[0])
    time = f"（{_ETA_ZH[task['eta']]}）" if language == "zh" else f" ({task['eta']})"
    return cut(task["title"], 180) + time


def _caption(content: Mapping[str, Any], hashtags: Sequence[str]) -> str:
    tail = "\n\n" + " ".join(f"#{tag}" for tag in hashtags) if hashtags else ""
    head, rest = content["headline"], _CAPTION - len(tail)
    points = [point for point in content["points"] if not is_pad(point) and clean(point) != clean(head)]
    body = "\n".join(f"• {point}" for point in points)
    for middle in (f"\n\n{body}\n\n{content['insight']}", f"\n\n{body}", f"\n\n{content['insight']}"):
        if len(head) + len(middle) <= rest:
            return f"{head}{middle}{tail}"
    return f"{head}{tail}"


def _headline(
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
    room = (_HEADLINE if tongue == "en" else _HEADLINE // 2) - len(subject) - len(colon)
    candidates = _tails(name, intent, lines, others if _needs_tail(name) else fresh, tongue, room)
    tails = [one for one in candidates if _LEAST_TAIL <= len(one) <= room and not repeats(one, [name])]
    whole = f"{subject}{colon}{tails[0]}" if tails else name
    return cut(whole if len(whole) >= _LEAST else _short(name, language), _HEADLINE)


def _short(name: str, language: Language) -> str:
    return f"{name}：原文的三个要点" if language == "zh" else f"{name}: three points from the text"


def _needs_tail(name: str) -> bool:
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
    most = _HEADLINE if language == "en" else _HEADLINE // 2
    claims = [*_gains(lines, fresh, intent), *_claims(fresh, most)]
    whole = next((one for one in claims if _LEAST <= len(one) <= most), "")
    if whole:
        return whole[:1].upper() + whole[1:]
    about = topic(intent, language)
    about, colon = about[:1].upper() + about[1:], "：" if language == "zh" else ": "
    room = most - len(about) - len(colon)
    parts = [part for line in others if (part := claim(line, room)) and not points_back(part)]
    tail = next((one for one in [*_steps(lines, language, room), *_claims(others, room), *parts] if one), "")
    own = [cut(one[:1].upper() + one[1:], most).strip() for one in (tail, *lines)]
    if about.lower() == NO_TOPIC[language] and (whole := next((one for one in own if len(one) >= _LEAST), "")):
        return whole
    plain = f"关于{about}的三个要点" if language == "zh" else f"Three points on {topic(intent, language)}"
    return cut(f"{about}{colon}{tail}" if tail else plain, _HEADLINE)


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
    dull = sum(char.isalpha() for char in name) < 2 or cue("dull_title").match(name) or gives_orders(name)
    return "" if dull else cut(name.rstrip("。.：:"), _HEADLINE)


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
