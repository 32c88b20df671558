"""What to do about it: tasks whose objects come from the intent and the summary."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .cues import gives_orders, has
from .facts import compares
from .fit import at_least, clean, cut, lead
from .language import Language, output_language, script_language
from .pads import is_pad
from .phrases import tags
from .plans import ASPECTS, PLANS, SKIPPED, Need, Plan
from .topic import topic

_TITLE = 140
_LEAD = {"en": 64, "zh": 36}
_LEAST_LEAD = {"en": 30, "zh": 10}
_ARROW = "→"
_MEASURED = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:%|percent|x\b|times|ms\b|[kmgt]b\b|seconds|minutes|hours|days|weeks|people|users|million|billion|euros"
    r"|dollars|万|亿|倍|元|毫秒|秒|分钟|小时|天|个月|人|次|笔)",
    re.IGNORECASE,
)
_OUTPUT = frozenset({"WRITE", "BUILD", "SHARE", "DECIDE"})
_COUNT = {"READ_NEXT": 6, "WORTH_IT": 5, "IF_TIME": 4, "SKIP": 3}
_FIRST = {"READ_NEXT": 0, "WORTH_IT": 1, "IF_TIME": 2, "SKIP": 3}


def todos(
    *,
    intent: str,
    summary: Mapping[str, Any],
    score: Mapping[str, Any],
    title: str = "",
    profile: str = "engineer",
    language: str = "",
) -> dict[str, Any]:
    tongue = output_language(language, intent)
    lines = [clean(line) for line in summary["bullets"] if not is_pad(line) and not gives_orders(line)]
    words = [tag.lower() if tag == tag.capitalize() else tag for tag in tags(intent, title, summary["bullets"], 3)]
    urgent = _FIRST[score["priority"]]
    out: list[dict[str, Any]] = []
    for plan, line in _planned(score["priority"], profile, lines):
        wording = _title(plan, topic(intent), line, _aspects(lines, tongue), tongue)
        if any(wording == one["title"] for one in out):
            continue
        level = min(3, urgent + (0 if not out else 1 if len(out) < 3 else 2))
        out.append(
            {
                "title": wording,
                "eta": plan.eta,
                "type": plan.type,
                "why": _why(line if "{aspects}" not in plan.en_more else clean(summary["insight"]), score, tongue),
                "priority": f"P{level}",
                "tags": words,
            }
        )
    return {"todos": out}


def _planned(priority: str, profile: str, lines: Sequence[str]) -> list[tuple[Plan, str]]:
    """Each task takes up a bullet of its own where there is one: three tasks on one sentence are one task."""
    rows = SKIPPED if priority == "SKIP" else PLANS.get(profile, PLANS["engineer"])
    unused = list(lines)
    chosen: list[tuple[Plan, str]] = []
    for plan in rows:
        line = _line(plan, lines, unused)
        if plan.need and line not in unused:
            continue
        if line in unused and "{lead}" in plan.en_more:
            unused.remove(line)
        chosen.append((plan, line))
    while len(chosen) > _COUNT[priority]:
        chosen.remove(_least_needed(chosen))
    return chosen


def _line(plan: Plan, lines: Sequence[str], unused: Sequence[str]) -> str:
    ordered = sorted(lines, key=lambda line: (_ARROW in line) != (plan.type == "BUILD"))
    fitting = [line for line in ordered if meets(plan.need, line)] if plan.need else ordered
    return next((line for line in fitting if line in unused), fitting[0] if fitting else "")


def _least_needed(chosen: Sequence[tuple[Plan, str]]) -> tuple[Plan, str]:
    output = sum(plan.type in _OUTPUT for plan, _ in chosen)
    spare = [row for row in chosen if row[0].type not in _OUTPUT or output > 3]
    return (spare or list(chosen))[-1]


def meets(need: Need, line: str) -> bool:
    if need == "number":
        return bool(_MEASURED.search(line)) and _ARROW not in line
    if need == "howto" and _ARROW in line:
        return True
    return compares(line) if need == "contrast" else has(need, line)


def _aspects(lines: Sequence[str], language: Language) -> str:
    found = [(en, zh) for need, en, zh in ASPECTS if any(meets(need, line) for line in lines)][:3]
    if language == "zh":
        return "、".join(zh for _, zh in found) or "一个自己的例子"
    names = [en for en, _ in found] or ["an example of your own"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _title(plan: Plan, about: str, line: str, aspects: str, language: Language) -> str:
    base, more = (plan.zh, plan.zh_more) if language == "zh" else (plan.en, plan.en_more)
    head = base.format_map({"topic": about})
    if about.lower().startswith("whether ") and plan.type == "DECIDE" and plan.en.startswith("Decide the next"):
        head = f"Decide {about}"
    more = more.replace("{aspects}", aspects)
    room = min(_LEAD[script_language(line)], _TITLE - len(head) - len(more.replace("{lead}", "")))
    if "{lead}" in more and (not line or room < _LEAST_LEAD[language]):
        more = ""
    if "{lead}" not in more and room < 0:
        more = ""
    full = f"{head}{more.replace('{lead}', lead(_point(line), room))}" if more else head
    return cut(at_least(full, 8, "（写下结论）" if language == "zh" else "and note the result"), _TITLE)


def _point(line: str) -> str:
    """Of a procedure in one line, the first step is what one can begin with."""
    return re.split("[:：] ?", line.partition(f" {_ARROW}")[0], maxsplit=1)[-1] if _ARROW in line else line


def _why(line: str, score: Mapping[str, Any], language: Language) -> str:
    if score["priority"] == "SKIP" or not line:
        first = clean(score["reasons"][0])
        return cut(
            f"匹配分 {score['match_score']}：{first}" if language == "zh" else f"Match {score['match_score']}: {first}",
            200,
        )
    return cut(f"原文要点：{line}" if language == "zh" else f"From the summary: {line}", 200)
