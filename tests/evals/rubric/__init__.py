"""The rubric of the evals: P0 and P1 must all pass, of P2 one case in five may fail."""

from .action import ACTION
from .bullets import BULLETS
from .expected import EXPECTED
from .form import FORM
from .headline import HEADLINE
from .insight import INSIGHT
from .judging import LEVELS, Case, Check, Finding, Level, Made
from .reasons import REASONS
from .tasks import TASKS

CHECKS: tuple[Check, ...] = (*FORM, *REASONS, *TASKS, *ACTION, *EXPECTED, *BULLETS, *INSIGHT, *HEADLINE)

__all__ = ["CHECKS", "LEVELS", "Case", "Check", "Finding", "Level", "Made", "judge"]


def judge(case: Case, made: Made) -> list[Finding]:
    return [Finding(check.level, check.name, _why_not(check, case, made)) for check in CHECKS]


def _why_not(check: Check, case: Case, made: Made) -> str:
    try:
        return check.why_not(case, made)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as odd:
        # A payload of another form is the engine's fault and not the runner's.
        return f"cannot be judged, the payload has not its form: {type(odd).__name__} {odd}"
