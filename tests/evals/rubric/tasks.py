"""P1: tasks that can be begun. Each starts with a verb, and two of them leave something behind."""

from .judging import Case, Check, Made, listed
from .tokens import plain
from .verbs import verb_of
from .words_of import words_of

OUTPUT = frozenset({"WRITE", "SHARE", "BUILD", "DECIDE"})


def verbs(_case: Case, made: Made) -> str:
    without = [task["title"] for task in made.todos["todos"] if not verb_of(task["title"])]
    return f"does not start with a verb: {listed(without)}" if without else ""


def output(_case: Case, made: Made) -> str:
    """Reading is no output, whatever the task calls itself, and the same task twice is one."""
    makes = {
        plain(task["title"]) for task in made.todos["todos"] if task["type"] in OUTPUT and not _reads(task["title"])
    }
    return "" if len(makes) >= 2 else f"{len(makes)} output task(s), and two are needed"


def different(_case: Case, made: Made) -> str:
    titles = [plain(task["title"]) for task in made.todos["todos"]]
    twice = [title for at, title in enumerate(titles) if title in titles[:at]]
    return f"the same task twice: {listed(twice)}" if twice else ""


def _reads(title: str) -> bool:
    return verb_of(title) in words_of("reading")


TASKS = (
    Check("P1", "every task starts with a verb", verbs),
    Check("P1", "two output tasks", output),
    Check("P1", "no task twice", different),
)
