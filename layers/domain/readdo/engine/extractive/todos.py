"""Propose tasks from the intent and the summary."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .advice import advice_task
from .clauses import width
from .comparison_clauses import CHANGES, against, gains
from .cues import gives_orders, has, is_noise
from .field_text import clean, cut
from .filler_lines import is_pad
from .intent_object import either, question, thing, topic
from .language import Language, output_language, script_language
from .number_count import figures
from .plans import ASPECTS, HOLDS, LISTS, READING, SKIPPED, Plan, plans_for
from .punctuation import widen_punctuation
from .purpose import purpose_of
from .rank import repeats
from .sentence_roles import has_role
from .sentences import plain
from .steps import is_steps
from .tags import hyphenate, tags
from .task_words import TITLE, TaskWords, claim, fill_wording
from .topic import enumerate_words

_OUTPUT = frozenset({"WRITE", "BUILD", "SHARE", "DECIDE"})
_COUNT = {"READ_NEXT": 6, "WORTH_IT": 5, "IF_TIME": 4, "SKIP": 3}
_FIRST = {"READ_NEXT": 0, "WORTH_IT": 1, "IF_TIME": 2, "SKIP": 3}
_MINUTES = re.compile(r"About (\d+) minutes? to read|约 (\d+) 分钟读完")
_ETAS = ((10, "10m"), (20, "20m"), (30, "30m"), (45, "45m"), (60, "1h"), (120, "2h"))
_WORTH_READING = 2
_GROUND, _TELLS = 70, 24
_HAPPENED = re.compile(
    r"\b(?:we|i|our|my|was|were|said|had|in \w+day|in (?:19|20)\d\d)\b|我|去年|今年|当时|公布|显示|[?？]|要不要", re.I
)
# A prohibition is not a task.
_FORBIDS = re.compile(r"(?:avoid|never|don't|do not)\b|不要|避免|别", re.I)
Task = tuple[Plan, str]


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
    words = [hyphenate(tag) for tag in tags(intent, title, lines, 3)]
    urgent, minutes = _FIRST[score["priority"]], _minutes(score)
    task_words = _words(intent, title, lines, summary, tongue)
    purpose = purpose_of(intent)
    rows = SKIPPED if score["priority"] == "SKIP" else plans_for(purpose, profile)
    # If the purpose is to write, decide or compare, its own task comes before the text's advice.
    first = purpose not in {"write", "decide", "compare"}
    if rows is not SKIPPED and minutes is not None and minutes < _WORTH_READING:
        # A text of a minute needs no task to read it.
        rows = tuple(row for row in rows if row.type != "READ")
    # The insight may contain advice, too.
    spare = [line for line in [clean(summary["insight"])] if not _FORBIDS.match(line)]
    out: list[dict[str, Any]] = []
    for plan, wording in _limit(_plan(rows, lines, spare, task_words, first), _COUNT[score["priority"]]):
        level = min(3, urgent + (0 if not out else 1 if len(out) < 3 else 2))
        task = {"title": cut(wording, TITLE), "eta": _eta(plan, minutes), "type": plan.type}
        out.append({**task, "why": _why(plan, score, tongue), "priority": f"P{level}", "tags": words})
    return {"todos": out}


def _words(intent: str, title: str, lines: list[str], summary: Mapping[str, Any], language: Language) -> TaskWords:
    quotes = [plain(widen_punctuation(one["quote"])) for one in summary["evidence"]]
    texts = [*lines, clean(summary["insight"]), *(line for line in quotes if not gives_orders(line))]
    about, ask = topic(intent, language), question(intent, language)
    ours = [line for line in texts if script_language(line) == language]
    pro = next(iter(gains(ours, f"{title} {intent}")), "")[:_GROUND]
    con = against([line for line in ours if pro not in line or not pro], _GROUND)
    return TaskWords(
        about, thing(about, language), either(about, language), ask, pro if len(pro) < _GROUND else "", con,
        _aspects(lines, language), language,
    )  # fmt: skip


def _plan(
    rows: Sequence[Plan], lines: Sequence[str], spare: Sequence[str], task_words: TaskWords, first: bool
) -> list[Task]:
    """Choose a wording for each row. Each task uses another bullet, so that tasks do not repeat."""
    unused = list(lines)
    tasks: list[Task] = []
    advice = None if rows is SKIPPED else advice_task([*lines, *spare], task_words.language)
    if advice:
        plan, line = advice
        tasks.append((plan, plan.zh[0] if task_words.language == "zh" else plan.en[0]))
        unused = [one for one in unused if one != line]
        # The text's advice replaces the generated experiment.
        rows = [row for row in rows if row.type != "BUILD"]
    for plan in rows:
        line = _line(plan, [one for one in unused if not is_steps(one)])
        if plan.need and not line:
            continue
        wording, uses_line = fill_wording(plan, task_words, line)
        if not wording or repeats(wording, [title for _, title in tasks]):
            continue
        if uses_line:
            unused.remove(line)
        tasks.append((plan, wording))
    if advice and len(tasks) > 1 and not first:
        tasks[0], tasks[1] = tasks[1], tasks[0]
    return tasks


def _line(plan: Plan, lines: Sequence[str]) -> str:
    unused = [line for line in lines if not is_noise(line)]
    if plan.need:
        return next((line for line in unused if has_role(plan.need, line)), "")
    # Only complete claims: no list items, no questions.
    fitting = [line for line in unused if claim(line, 80) and line.endswith((".", "。", "!", "！", "”", '"'))]
    if plan is HOLDS or plan is LISTS:
        # No reports of single events, which need not hold for the reader.
        fitting = [
            line
            for line in fitting
            if width(line) > _TELLS and not (_HAPPENED.search(line) or has_role("figure", line))
        ]
    if plan.type == "DECIDE":
        # For a decision, conclusions and results come first.
        fitting.sort(key=lambda line: (not has("conclusion", line), not (figures(line) and CHANGES.search(line))))
    return next(iter(fitting), "")


def _limit(planned: list[Task], most: int) -> list[Task]:
    tasks = list(planned)
    while len(tasks) > most:
        output = sum(plan.type in _OUTPUT for plan, _ in tasks)
        spare = [row for row in tasks if row[0].type not in _OUTPUT or output > 3]
        tasks.remove((spare or tasks)[-1])
    return tasks


def _aspects(lines: Sequence[str], language: Language) -> str:
    aspects = [(en, zh) for need, en, zh in ASPECTS if any(has_role(need, line) for line in lines if need)][:3]
    if language == "zh":
        return "、".join(zh for _, zh in aspects) or "一个自己的例子"
    return enumerate_words([en for en, _ in aspects] or ["an example of your own"])


def _minutes(score: Mapping[str, Any]) -> int | None:
    """The reading time from the score's reasons. None if another engine did not state it."""
    match = next(filter(None, (_MINUTES.search(reason) for reason in score["reasons"])), None)
    return int(match.group(1) or match.group(2)) if match else None


def _eta(plan: Plan, minutes: int | None) -> str:
    if plan.eta != READING:
        return plan.eta
    return next((eta for most, eta in _ETAS if (minutes or 10) <= most), "3h+")


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
