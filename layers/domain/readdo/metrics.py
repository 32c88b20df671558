"""Metrics as log lines in CloudWatch's embedded metric format, which needs no API call.

The alarms and the dashboard in template.yaml use the same names. A test compares them.
"""

from aws_lambda_powertools import single_metric
from aws_lambda_powertools.metrics import MetricUnit

NAMESPACE = "ReadDo"
ITEMS, EXPORTS = "Items", "Exports"  # by the new state
RETRIES = "Retries"  # by the heartbeat, not by a user
LEASES_RECLAIMED = "LeasesReclaimed"
PROVIDER_DOWN = "ProviderDown"
BUDGET_STOPS = "BudgetStops"
TOKENS = "Tokens"  # by direction: in, out
STEP_TIME = "StepTime"  # by step, in milliseconds
TASKS, RUNS = "Tasks", "Runs"  # by the new state
QUEUE, BLOCKED = "Queue", "Blocked"  # waiting and blocked tasks of all owners
JOBS, PROOF_LOST = "Jobs", "ProofLost"  # proof jobs by the new state and phase; lost executions
OLDEST_DUE = "OldestDue"  # age of the oldest due work when the heartbeat runs, in seconds

_OF_MACHINES = {"item": ITEMS, "export": EXPORTS, "task": TASKS, "run": RUNS, "job": JOBS}
_OF_TRIGGERS = {"auto_retry": RETRIES, "reclaim": LEASES_RECLAIMED, "trip": PROVIDER_DOWN}
_OF_TRIGGERS |= dict.fromkeys(("lose_validation", "lose_start", "lose_processing", "lose_merge"), PROOF_LOST)
# Each value of a dimension costs money per month, so transient states, which are no outcome, are not counted.
_TRANSIENT_STATES = {"QUEUED", "PROCESSING", "RUNNING", "inbox", "todo", "doing", "queued", "running"}
_TRANSIENT_STATES |= {"queued/validate", "running/validate", "queued/process", "running/process", "paused/process"}
_TRANSIENT_STATES |= {"paused/merge", "running/merge"}


def count_transition(machine: str, trigger: str, state: str | None) -> None:
    """Count a transition, and the new state if it changed. `lifecycle` calls this for every move."""
    if machine in _OF_MACHINES and state and state not in _TRANSIENT_STATES:
        _say(_OF_MACHINES[machine], MetricUnit.Count, 1, {"to": state})
    if trigger in _OF_TRIGGERS:
        _say(_OF_TRIGGERS[trigger], MetricUnit.Count, 1)


def step_took(step: str, milliseconds: float, **ids: str) -> None:
    """`ids` are logged beside the value and are no dimensions. They help to find the item behind a value."""
    _say(STEP_TIME, MetricUnit.Milliseconds, round(milliseconds, 1), {"step": step}, ids)


def tokens_used(sent: int, received: int) -> None:
    for direction, tokens in (("in", sent), ("out", received)):
        _say(TOKENS, MetricUnit.Count, tokens, {"direction": direction})


def budget_stopped() -> None:
    _say(BUDGET_STOPS, MetricUnit.Count, 1)


def oldest_due(seconds: float) -> None:
    """Emitted every minute, even if nothing is due: missing data means that the heartbeat stopped."""
    _say(OLDEST_DUE, MetricUnit.Seconds, round(seconds, 1))


def desks(waiting: int, blocked: int) -> None:
    """Emitted every minute, from counters."""
    for name, tasks in ((QUEUE, waiting), (BLOCKED, blocked)):
        _say(name, MetricUnit.Count, tasks)


def _say(
    name: str,
    unit: MetricUnit,
    value: float,
    dimensions: dict[str, str] | None = None,
    metadata: dict[str, str] | None = None,
) -> None:
    with single_metric(name=name, unit=unit, value=value, namespace=NAMESPACE) as metric:
        for dimension, label in (dimensions or {}).items():
            metric.add_dimension(dimension, label)
        for key, text in (metadata or {}).items():
            metric.add_metadata(key, text)
