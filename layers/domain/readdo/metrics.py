"""What is counted: lines of the log in CloudWatch's embedded metric format, so that counting costs no call.

The names are said here once. The alarms and the dashboard of template.yaml use them, and a test holds both together.
"""

from aws_lambda_powertools import single_metric
from aws_lambda_powertools.metrics import MetricUnit

NAMESPACE = "ReadDo"
ITEMS, EXPORTS = "Items", "Exports"  # by the state that was reached
RETRIES = "Retries"  # made by the heartbeat, not by a person
LEASES_RECLAIMED = "LeasesReclaimed"
PROVIDER_DOWN = "ProviderDown"
BUDGET_STOPS = "BudgetStops"
TOKENS = "Tokens"  # by direction: in, out
STEP_TIME = "StepTime"  # by step, in milliseconds
TASKS, RUNS = "Tasks", "Runs"  # by the state that was reached
QUEUE, BLOCKED = "Queue", "Blocked"  # tasks that wait, and that cannot go on, of all owners
OLDEST_DUE = "OldestDue"  # how long the oldest due work had waited when the heartbeat came, in seconds

_OF_MACHINES = {"item": ITEMS, "export": EXPORTS, "task": TASKS, "run": RUNS}
_OF_TRIGGERS = {"auto_retry": RETRIES, "reclaim": LEASES_RECLAIMED, "trip": PROVIDER_DOWN}
# Each value of a dimension is paid for by the month: what an item only passes through tells nothing of an outcome.
_PASSED_THROUGH = {"QUEUED", "PROCESSING", "RUNNING", "inbox", "todo", "doing", "queued", "running"}


def moved(machine: str, trigger: str, state: str | None) -> None:
    """A move was made, to this state if to another one. Called by the engine, so nothing that moves is missed."""
    if machine in _OF_MACHINES and state and state not in _PASSED_THROUGH:
        _say(_OF_MACHINES[machine], MetricUnit.Count, 1, {"to": state})
    if trigger in _OF_TRIGGERS:
        _say(_OF_TRIGGERS[trigger], MetricUnit.Count, 1)


def step_took(step: str, milliseconds: float, **ids: str) -> None:
    """`ids` stand beside the figure in the log: to find the one behind a figure, not to be counted by."""
    _say(STEP_TIME, MetricUnit.Milliseconds, round(milliseconds, 1), {"step": step}, ids)


def tokens_used(sent: int, received: int) -> None:
    for direction, tokens in (("in", sent), ("out", received)):
        _say(TOKENS, MetricUnit.Count, tokens, {"direction": direction})


def budget_stopped() -> None:
    _say(BUDGET_STOPS, MetricUnit.Count, 1)


def oldest_due(seconds: float) -> None:
    """Said every minute, also when nothing is due: silence is how one learns that the heartbeat has stopped."""
    _say(OLDEST_DUE, MetricUnit.Seconds, round(seconds, 1))


def desks(waiting: int, blocked: int) -> None:
    """Said every minute, from counters."""
    for name, tasks in ((QUEUE, waiting), (BLOCKED, blocked)):
        _say(name, MetricUnit.Count, tasks)


def _say(
    name: str,
    unit: MetricUnit,
    value: float,
    dimensions: dict[str, str] | None = None,
    beside: dict[str, str] | None = None,
) -> None:
    with single_metric(name=name, unit=unit, value=value, namespace=NAMESPACE) as metric:
        for dimension, of in (dimensions or {}).items():
            metric.add_dimension(dimension, of)
        for key, said in (beside or {}).items():
            metric.add_metadata(key, said)
