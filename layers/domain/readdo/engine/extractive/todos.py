"""What to do about it: tasks whose objects come from the intent and the summary."""

from collections.abc import Mapping, Sequence
from typing import Any

from .advice import advised
from .certain import certain
from .cues import gives_orders
from .fit import clean, cut, lead
from .language import Language, output_language, script_language
from .pads import is_pad
from .phrases import tags
from .plans import ASPECTS, PLANS, SKIPPED, Need, Plan
from .quotes import mended
from .steps import ARROW, shown_steps
from .topic import said

_TITLE = 140
_LEAD = {"en": 64, "zh": 36}
_LEAST_LEAD = {"en": 30, "zh": 10}
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
    words = [tag.lower() if tag == tag.capitalize() else tag for tag in tags(intent, title, lines, 3)]
    urgent = _FIRST[score["priority"]]
    out: list[dict[str, Any]] = []
    for plan, line in _planned(score["priority"], profile, lines, tongue):
        wording = _title(plan, said(intent, tongue), line, _aspects(lines, tongue), tongue)
        if any(wording == one["title"] for one in out):
            continue
        level = min(3, urgent + (0 if not out else 1 if len(out) < 3 else 2))
        out.append(
            {
                "title": wording,
                "eta": plan.eta,
                "type": plan.type,
                "why": _why(plan, score, tongue),
                "priority": f"P{level}",
                "tags": words,
            }
        )
    return {"todos": out}


def _planned(priority: str, profile: str, lines: Sequence[str], language: Language) -> list[tuple[Plan, str]]:
    """Each task takes up a bullet of its own where there is one: three tasks on one sentence are one task."""
    rows = SKIPPED if priority == "SKIP" else PLANS.get(profile, PLANS["engineer"])
    unused = list(lines)
    chosen: list[tuple[Plan, str]] = []
    told = None if priority == "SKIP" else advised(lines, language)
    if told:
        chosen.append(told)
        unused.remove(told[1])
        # What the text says to build is the experiment.
        rows = tuple(row for row in rows if row.type != "BUILD")
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
    ordered = sorted(lines, key=lambda line: (ARROW in line) != (plan.type == "BUILD"))
    fitting = [line for line in ordered if meets(plan.need, line)] if plan.need else ordered
    return next((line for line in fitting if line in unused), fitting[0] if fitting else "")


def _least_needed(chosen: Sequence[tuple[Plan, str]]) -> tuple[Plan, str]:
    output = sum(plan.type in _OUTPUT for plan, _ in chosen)
    spare = [row for row in chosen if row[0].type not in _OUTPUT or output > 3]
    return (spare or list(chosen))[-1]


def meets(need: Need, line: str) -> bool:
    return not need or certain(need, line)


def _aspects(lines: Sequence[str], language: Language) -> str:
    found = [(en, zh) for need, en, zh in ASPECTS if any(meets(need, line) for line in lines)][:3]
    if language == "zh":
        return "、".join(zh for _, zh in found) or "一个自己的例子"
    names = [en for en, _ in found] or ["an example of your own"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _title(plan: Plan, wanted: str, line: str, aspects: str, language: Language) -> str:
    base, more = (plan.zh, plan.zh_more) if language == "zh" else (plan.en, plan.en_more)
    head = base.replace("{intent}", wanted)
    more = more.replace("{aspects}", aspects)
    room = min(_LEAD[script_language(line)], _TITLE - len(head) - len(more.replace("{lead}", "")))
    if "{lead}" in more and (not line or room < _LEAST_LEAD[language]):
        more = ""
    if "{lead}" not in more and room < 0:
        more = ""
    return cut(head + more.replace("{lead}", _inner(mended(lead(_point(line), room - 1)), language)), _TITLE)


def _inner(text: str, language: Language) -> str:
    """Speech inside a quotation has its own marks."""
    marks = "『』『』" if language == "zh" else "‘’‘’"
    text = text.translate(str.maketrans("“”「」", marks))
    while '"' in text:
        text = text.replace('"', marks[0], 1).replace('"', marks[1], 1)
    return text


def _point(line: str) -> str:
    """Of a procedure in one line, the first step is what one can begin with."""
    return next(iter(shown_steps(line)), line) if ARROW in line else line


def _why(plan: Plan, score: Mapping[str, Any], language: Language) -> str:
    why = plan.zh_why if language == "zh" else plan.en_why
    if why:
        return why
    points = score["match_score"]
    return (
        f"这篇对收藏它的目的帮助不大（匹配分 {points}）。"
        if language == "zh"
        else f"This text does little for what it was saved for (match {points})."
    )
