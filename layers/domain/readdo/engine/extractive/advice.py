"""A task from the text's own advice, which is better than any generated task."""

from collections.abc import Sequence

from .cues import is_noise
from .instructions import joined, orders
from .language import Language, script_language
from .plans import Plan
from .steps import ARROW, split_steps
from .verbs import commands

_TITLE_MIN, _ROOM = 8, 140  # characters, as schemas/artifacts/todos.json
_FOLLOW = {"en": "Follow this advice: “{}”", "zh": "动手照做：「{}」"}
_WRITES = ("List", "Write", "Draft", "Note", "Record", "Describe", "列", "写", "记")
_DECIDES = ("Decide", "Choose", "Pick", "Select", "决定", "选", "确定")


def advice_task(lines: Sequence[str], language: Language) -> tuple[Plan, str] | None:
    """The task, and the line that it is made from."""
    candidates = [(_steps(line), line) for line in lines if not is_noise(line)]
    # A sequence of steps before a single piece of advice. Of the same kind, the earlier one.
    steps, line = max(candidates, key=lambda one: (min(2, len(one[0])), ARROW in one[1]), default=([], ""))
    foreign = bool(steps) and script_language(steps[0]) != language
    title = joined(steps, _ROOM - (len(_FOLLOW[language]) if foreign else 0))
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
    return Plan(kind, eta, "", (title,), why, (title,), why), line


def _steps(line: str) -> list[str]:
    if ARROW not in line:
        return orders(line)
    steps = [step.removeprefix("首先").removeprefix("先") for step in split_steps(line)]
    if all(script_language(step) == "zh" for step in steps):
        return steps
    imperative = [commands(step) for step in steps]
    return steps[: imperative.index(False) if False in imperative else len(imperative)]
