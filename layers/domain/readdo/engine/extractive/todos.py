"""Propose tasks from the intent, the summary, and the text's own advice."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .clauses import against, claim, gains, is_steps, split_steps, states_change
from .facts import is_pad
from .field_text import clean, cut, enumerate_words
from .grammar import ARROW, commands, gives_orders, has, has_role, is_noise, orders
from .keyterms import hyphenate, tags
from .language import Language, cue, figures, output_language, prefixes, script_language, widen_punctuation, width
from .purpose import (
    ASPECTS,
    OUTPUT_TYPES,
    READING,
    TITLE,
    Plan,
    TaskWords,
    fill_wording,
    plans_for,
    plans_off_topic,
    purpose_of,
)
from .rank import repeats
from .sentences import plain
from .topic import either, question, thing, topic

_COUNT = {"READ_NEXT": 6, "WORTH_IT": 5, "IF_TIME": 4, "SKIP": 3}
_FIRST = {"READ_NEXT": 0, "WORTH_IT": 1, "IF_TIME": 2, "SKIP": 3}
_MINUTES = re.compile(r"About (\d+) minutes? to read|约 (\d+) 分钟(?:可以)?读完")
_ETAS = ((10, "10m"), (20, "20m"), (30, "30m"), (45, "45m"), (60, "1h"), (120, "2h"))
_WORTH_READING = 2
_GROUND, _TELLS = 70, 24
# A prohibition is not a task.
_FORBIDS = re.compile(r"(?:avoid|never|don't|do not)\b|不要|避免|别", re.I)
Task = tuple[Plan, str]
_TITLE_MIN = 8  # characters, as schemas/artifacts/todos.json
_FOLLOW = {"en": "Follow this advice: “{}”", "zh": "动手照做：「{}」"}
_WRITES = ("List", "Write", "Draft", "Note", "Record", "Describe", "列", "写", "记")
_DECIDES = ("Decide", "Choose", "Pick", "Select", "决定", "选", "确定")


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
    skipped = score["priority"] == "SKIP"
    rows = plans_off_topic() if skipped else plans_for(purpose, profile)
    # If the purpose is to write, decide or compare, its own task comes before the text's advice.
    first = purpose not in {"write", "decide", "compare"}
    if not skipped and minutes is not None and minutes < _WORTH_READING:
        # A text of a minute needs no task to read it.
        rows = [row for row in rows if row.type != "READ"]
    # The insight may contain advice, too.
    spare = [line for line in [clean(summary["insight"])] if not _FORBIDS.match(line)]
    advice = None if skipped else _advice_task([*lines, *spare], tongue)
    out: list[dict[str, Any]] = []
    for plan, wording in _limit(_plan(rows, lines, advice, task_words, first), _COUNT[score["priority"]]):
        level = min(3, urgent + (0 if not out else 1 if len(out) < 3 else 2))
        task = {"title": cut(wording, TITLE), "eta": _eta(plan, minutes), "type": plan.type}
        out.append({**task, "why": _why(plan, score, tongue), "priority": f"P{level}", "tags": words})
    return {"todos": out}


def _words(intent: str, title: str, lines: list[str], summary: Mapping[str, Any], language: Language) -> TaskWords:
    quotes = [plain(widen_punctuation(one["quote"])) for one in summary["evidence"]]
    texts = [*lines, clean(summary["insight"]), *(line for line in quotes if not gives_orders(line))]
    about, ask = topic(intent, language, title), question(intent, language)
    ours = [line for line in texts if script_language(line) == language]
    pro = next(iter(gains(ours, f"{title} {intent}")), "")[:_GROUND]
    con = against([line for line in ours if pro not in line or not pro], _GROUND)
    return TaskWords(
        about, thing(about, language), either(about, language), ask, pro if len(pro) < _GROUND else "", con,
        _aspects(lines, language), language,
    )  # fmt: skip


def _plan(
    rows: Sequence[Plan], lines: Sequence[str], advice: tuple[Plan, str] | None, task_words: TaskWords, first: bool
) -> list[Task]:
    """Choose a wording for each row. Each task uses another bullet, so that tasks do not repeat."""
    unused = list(lines)
    tasks: list[Task] = []
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
    if plan.name in {"holds", "lists"}:
        # No reports of single events, which need not hold for the reader.
        fitting = [
            line
            for line in fitting
            if width(line) > _TELLS and not (cue("reports").search(line) or has_role("figure", line))
        ]
    if plan.type == "DECIDE":
        # For a decision, conclusions and results come first.
        fitting.sort(key=lambda line: (not has("conclusion", line), not (figures(line) and states_change(line))))
    return next(iter(fitting), "")


def _limit(planned: list[Task], most: int) -> list[Task]:
    tasks = list(planned)
    while len(tasks) > most:
        output = sum(plan.type in OUTPUT_TYPES for plan, _ in tasks)
        spare = [row for row in tasks if row[0].type not in OUTPUT_TYPES or output > 3]
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


def _advice_task(lines: Sequence[str], language: Language) -> tuple[Plan, str] | None:
    """A task from the text's own advice, which is better than a generated one, and the line of the advice."""
    candidates = [(_instructions(line), line) for line in lines if not is_noise(line)]
    # A sequence of steps before a single piece of advice. Of the same kind, the earlier one.
    steps, line = max(candidates, key=lambda one: (min(2, len(one[0])), ARROW in one[1]), default=([], ""))
    foreign = bool(steps) and script_language(steps[0]) != language
    title = _join(steps, TITLE - (len(_FOLLOW[language]) if foreign else 0))
    title = _FOLLOW[language].format(title) if foreign else title
    if not steps or len(title) < _TITLE_MIN:
        return None
    zh = language == "zh"
    # The first verb decides the type only if there is a single step.
    single = title if len(steps) == 1 else ""
    kind, eta = ("WRITE", "30m") if single.startswith(_WRITES) else ("BUILD", "1h")
    kind, eta = ("DECIDE", "30m") if single.startswith(_DECIDES) else (kind, eta)
    if len(steps) > 1:
        why = "这是原文自己给出的步骤，照做一遍见效最快。" if zh else "The text gives these steps itself."
    else:
        why = "这是原文直接给读者的建议。" if zh else "The text advises its readers to do this."
    return Plan("advice", kind, eta, "", (title,), why, (title,), why), line


def _instructions(line: str) -> list[str]:
    if ARROW not in line:
        return orders(line)
    steps = [step.removeprefix("首先").removeprefix("先") for step in split_steps(line)]
    if all(script_language(step) == "zh" for step in steps):
        return steps
    imperative = [commands(step) for step in steps]
    return steps[: imperative.index(False) if False in imperative else len(imperative)]


def _join(steps: list[str], room: int) -> str:
    """The first complete steps that fit, at most three. Empty if the first does not fit."""
    line = ""
    for number, step in enumerate(steps[:3]):
        chinese = script_language(step) == "zh"
        spoken = re.sub(r"^(?:再|然后|接着|随后|最后)[，]?", "", step)
        if not line:
            whole = _start(spoken, chinese)
        elif chinese:
            whole = f"{line}，{'再' if number == 1 else '然后'}{spoken}"
        else:
            whole = f"{line}, then {spoken if spoken[:2].isupper() else spoken[:1].lower() + spoken[1:]}"
        if len(whole) > room:
            break
        line = whole
    return line


def _start(step: str, chinese: bool) -> str:
    if chinese:
        # A task should begin with a verb. In "把所有例会列出来" the verb comes last.
        return step if step.startswith(prefixes("verbs_zh")) else f"动手：{step}"
    return step[:1].upper() + step[1:]
