"""The rubric of the evals: P0 and P1 must pass in every case, P2 in four of five."""

from .action import ACTION
from .bullets import BULLETS
from .expected import EXPECTED
from .form import FORM
from .headline import HEADLINE
from .insight import INSIGHT
from .judging import LEVELS, Case, Check, Finding, Level, Results
from .reasons import REASONS
from .tasks import TASKS

CHECKS: tuple[Check, ...] = (*FORM, *REASONS, *TASKS, *ACTION, *EXPECTED, *BULLETS, *INSIGHT, *HEADLINE)

__all__ = ["CHECKS", "LEVELS", "Case", "Check", "Finding", "Level", "Results", "judge"]


def judge(case: Case, results: Results) -> list[Finding]:
    return [Finding(check.level, check.name, _why_not(check, case, results)) for check in CHECKS]


def _why_not(check: Check, case: Case, results: Results) -> str:
    try:
        return check.why_not(case, results)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        # A malformed payload is the engine's fault, not the runner's.
        return f"cannot be judged, the payload is malformed: {type(error).__name__} {error}"
