"""P1: actionable tasks. Each starts with a verb, and two of them produce an output."""

from .judging import Case, Check, Results, listed
from .tokens import plain
from .verbs import verb_of
from .words_of import words_of

OUTPUT = frozenset({"WRITE", "SHARE", "BUILD", "DECIDE"})


def verbs(_case: Case, results: Results) -> str:
    without = [task["title"] for task in results.todos["todos"] if not verb_of(task["title"])]
    return f"does not start with a verb: {listed(without)}" if without else ""


def output(_case: Case, results: Results) -> str:
    """Count different output tasks. Reading is no output, whatever type the task has."""
    outputs = {
        plain(task["title"]) for task in results.todos["todos"] if task["type"] in OUTPUT and not _reads(task["title"])
    }
    return "" if len(outputs) >= 2 else f"{len(outputs)} output task(s); two are required"


def different(_case: Case, results: Results) -> str:
    titles = [plain(task["title"]) for task in results.todos["todos"]]
    twice = [title for at, title in enumerate(titles) if title in titles[:at]]
    return f"duplicate task: {listed(twice)}" if twice else ""


def _reads(title: str) -> bool:
    return verb_of(title) in words_of("reading")


TASKS = (
    Check("P1", "every task starts with a verb", verbs),
    Check("P1", "two output tasks", output),
    Check("P1", "no duplicate task", different),
)
