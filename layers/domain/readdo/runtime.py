"""The environment of a Lambda function: settings, AWS clients, logs and metrics.

Logs get only the class and the place of an error, as its message may contain a user's text:
  LeaseLost, RunIncomplete, StepFailed   have safe messages, and leave the function unchanged
  any other exception                    leaves the function as Unexpected, with the name of its class

Metrics are log lines in CloudWatch's embedded metric format, which needs no API call. The alarms and the dashboard in
template.yaml use the same names. A test compares them.
"""

import logging
import os
import threading
import traceback
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

import boto3
from aws_lambda_powertools import Logger, single_metric
from aws_lambda_powertools.metrics import MetricUnit
from botocore.config import Config
from botocore.httpsession import get_cert_path

from readdo.errors import LeaseLost, RunIncomplete, StepFailed

logger = Logger()  # POWERTOOLS_SERVICE_NAME is the stack's name
# The id that all log entries of one API request, of one run of an item or of one job have in common.
_CORRELATION_ID = "requestContext.requestId || run || export || backup || restore || import || delivery || id"
# botocore waits 60 s by default, longer than most functions may run. Its retries multiply with those of Lambda and
# of the workflow.
_CONFIG = Config(
    connect_timeout=2,
    read_timeout=5,
    retries={"mode": "standard", "total_max_attempts": 3},
    # The local stack serves every service at one address, where a host prefix would not resolve.
    inject_host_prefix=False,
    user_agent="readdo",  # botocore would build its own anew for each call, which takes 4 % of the time of a call
    signature_version="v4",
    # Use the bucket's regional host. The global host redirects links of a new bucket to another host, where their
    # signature is not valid. A configured endpoint (the local stack) has one host for all buckets.
    s3={"addressing_style": "auto" if os.environ.get("AWS_ENDPOINT_URL") else "virtual"},
)


_client_lock = threading.Lock()  # boto3 cannot create clients in parallel threads; threads may share a client
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
BATCHES = "Batches"  # of assignments, by the new state
OLDEST_DUE = "OldestDue"  # age of the oldest due work when the heartbeat runs, in seconds
_OF_MACHINES = {"item": ITEMS, "export": EXPORTS, "task": TASKS, "run": RUNS, "job": JOBS, "batch": BATCHES}
_OF_TRIGGERS = {"auto_retry": RETRIES, "reclaim": LEASES_RECLAIMED, "trip": PROVIDER_DOWN}
_OF_TRIGGERS |= dict.fromkeys(("lose_validation", "lose_start", "lose_processing", "lose_merge"), PROOF_LOST)
# Each value of a dimension costs money per month, so transient states, which are no outcome, are not counted.
_TRANSIENT_STATES = {"QUEUED", "PROCESSING", "RUNNING", "inbox", "todo", "doing", "queued", "running"}
_TRANSIENT_STATES |= {"queued/validate", "running/validate", "queued/process", "running/process", "paused/process"}
_TRANSIENT_STATES |= {"paused/merge", "running/merge", "picking", "open", "applying"}
OURS = (LeaseLost, RunIncomplete, StepFailed)
_FRAMES = 6
Answer = TypeVar("Answer")
Handler = Callable[[Any, Any], Answer]


@cache
def client(service: str) -> Any:
    with _client_lock:
        return boto3.client(service, config=_CONFIG)


def ca_bundle() -> str:
    """The certificates that the AWS clients trust. A function may not have those of the system."""
    return str(get_cert_path(True))


def setting(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if value is None:
        raise RuntimeError(f"the setting {name} is missing from the function's environment: see template.yaml")
    return value


def seconds(name: str, default: int) -> int:
    return int(setting(name, str(default)))


def count_transition(machine: str, trigger: str, state: str | None) -> None:
    """Count a transition, and the new state if it changed. `lifecycle` calls this for every move."""
    if machine in _OF_MACHINES and state and state not in _TRANSIENT_STATES:
        _record(_OF_MACHINES[machine], MetricUnit.Count, 1, {"to": state})
    if trigger in _OF_TRIGGERS:
        _record(_OF_TRIGGERS[trigger], MetricUnit.Count, 1)


def record_step_time(step: str, milliseconds: float, **ids: str) -> None:
    """`ids` are logged beside the value and are no dimensions. They help to find the item behind a value."""
    _record(STEP_TIME, MetricUnit.Milliseconds, round(milliseconds, 1), {"step": step}, ids)


def record_tokens(sent: int, received: int) -> None:
    for direction, tokens in (("in", sent), ("out", received)):
        _record(TOKENS, MetricUnit.Count, tokens, {"direction": direction})


def record_budget_stop() -> None:
    _record(BUDGET_STOPS, MetricUnit.Count, 1)


def record_oldest_due(age: float) -> None:
    """Emitted every minute, even if nothing is due: missing data means that the heartbeat stopped."""
    _record(OLDEST_DUE, MetricUnit.Seconds, round(age, 1))


def record_queue(waiting: int, blocked: int) -> None:
    """Emitted every minute, from counters."""
    for name, tasks in ((QUEUE, waiting), (BLOCKED, blocked)):
        _record(name, MetricUnit.Count, tasks)


def _record(
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


def log_context(handler: Handler[Answer]) -> Handler[Answer]:
    """Decorate a handler: its log entries have the correlation id, and no keys of an earlier invocation."""
    # Libraries put links and parts of texts into their warnings, and Lambda logs all records of the root logger. Errors
    # that matter reach the function as exceptions.
    logging.getLogger().setLevel(logging.CRITICAL)
    logged: Handler[Answer] = logger.inject_lambda_context(correlation_id_path=_CORRELATION_ID, clear_state=True)(
        handler
    )
    return logged


class Unexpected(Exception):
    """The message is the name of the original exception class."""


def log_error(words: str, error: BaseException, **ids: str) -> None:
    logger.error(words, extra={"error": kind_of(error), "where": _where(error), **ids})


def kind_of(error: BaseException) -> str:
    """The class, and the AWS error code if there is one, such as `ClientError AccessDenied`."""
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code", "") if isinstance(response, dict) else ""
    return f"{type(error).__name__} {code}".strip()


def redact_errors(handler: Handler[Answer]) -> Handler[Answer]:
    """Decorate a handler: redact its errors, and log its context."""

    logged = log_context(handler)

    @wraps(handler)
    def redacted(event: Any, context: Any) -> Answer:
        try:
            return logged(event, context)
        except OURS:
            raise
        except Exception as error:
            log_error("unexpected", error)
            raise Unexpected(kind_of(error)) from None

    return redacted


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
