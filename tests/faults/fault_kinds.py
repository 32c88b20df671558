"""The six kinds of faults, each in the forms that a caller can tell apart.

A second delivery may also come much later.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import requests
import urllib3
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from faults.fault_calls import EXIT, FETCH, HTTP_API, MODEL, NOTION, RETRIED, VANISHED, Call, Died, Go, Visit
from readdo.engine.providers.model_transport import ConnectionClosed, Reply
from readdo.integrations.notion.notion import NotionError

_BUSY = {
    "dynamodb": "ProvisionedThroughputExceededException",
    "s3": "SlowDown",
    "stepfunctions": "ThrottlingException",
    "ssm": "ThrottlingException",
    "lambda": "TooManyRequestsException",
}
_WAIT_SECONDS = 120
SILENT = NotionError("SILENT", "Notion did not respond.", 60)


@dataclass(frozen=True)
class Injection:
    """Injected fault: the call, its invocation, and the function that makes the call."""

    call: Call
    visit: Visit
    go: Go
    time_passes: Callable[[], None]  # moves time past the lease's end, until all other workers are idle
    overtaken: Callable[[], None]  # moves time past the lease's end; the next worker then holds the lease
    once_more: Callable[[], None]  # delivers the function's event a second time


Inject = Callable[[Injection], Any]


def _crash(how: str, *, call_first: bool) -> Inject:
    def inject(injection: Injection) -> Any:
        if call_first:
            injection.go()
        raise Died(how)

    return inject


def _lose_request(injection: Injection) -> Any:
    raise _connection_error(injection.call.service)


def _lose_answer(injection: Injection) -> Any:
    injection.go()
    raise _timeout_error(injection.call.service)


def _throttle(injection: Injection) -> Any:
    if injection.call.service == MODEL:
        return Reply(429, (("Retry-After", str(_WAIT_SECONDS)),), b'{"error": {"message": "slow down"}}')
    if injection.call.service == FETCH:
        return _busy_site()
    if injection.call.service == NOTION:
        return 429, {}, 1800.0
    raise _aws_error(injection.call, _BUSY[injection.call.service])


def _cancel(reason: str) -> Inject:
    def inject(injection: Injection) -> Any:
        reasons = [{"Code": "None"}, {"Code": reason}]
        raise _aws_error(injection.call, "TransactionCanceledException", CancellationReasons=reasons)

    return inject


def _is_transaction(call: Call) -> bool:
    return call.operation == "TransactWriteItems"


def _resend(injection: Injection) -> Any:
    """Send the call again, as the SDK does without an answer."""
    injection.go()
    return injection.go()


def _deliver_twice(injection: Injection) -> Any:
    injection.once_more()
    return injection.go()


def _delay(injection: Injection) -> Any:
    injection.time_passes()
    return injection.go()


def _overtake(injection: Injection) -> Any:
    injection.overtaken()
    return injection.go()


def _deliver_late(injection: Injection) -> Any:
    return injection.go()


def _aws_error(call: Call, code: str, **more: Any) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "too much at once"}, **more}, call.operation)


def _connection_error(service: str) -> Exception:
    errors = {
        MODEL: ConnectionClosed("unreachable", "nobody there"),
        FETCH: requests.ConnectionError("nobody there"),
        NOTION: SILENT,
    }
    return errors.get(service) or EndpointConnectionError(endpoint_url="https://aws.invalid")


def _timeout_error(service: str) -> Exception:
    errors = {MODEL: ConnectionClosed("slow", "no answer"), FETCH: requests.ReadTimeout("no answer"), NOTION: SILENT}
    return errors.get(service) or ReadTimeoutError(endpoint_url="https://aws.invalid")


def _busy_site() -> requests.Response:
    answer = requests.Response()
    answer.status_code, answer.url = 503, "http://site.invalid"
    answer.raw = urllib3.HTTPResponse(io.BytesIO(b""), status=503, preload_content=False)
    return answer


@dataclass(frozen=True)
class Fault:
    name: str
    of: str  # which of the six kinds
    inject: Inject
    fits: Callable[[Call], bool] = lambda _: True
    asks_again: bool = False  # the step may call the model a second time


def _in_a_workflow(call: Call) -> bool:
    return not call.room.startswith((HTTP_API, "heartbeat"))


def _writes(call: Call) -> bool:
    return call.writes


# A read stores nothing: a crash after it equals a crash before the next call.
FAULTS = (
    Fault("crash-before", "crash before", _crash(EXIT, call_first=False)),
    Fault("vanish-before", "crash before", _crash(VANISHED, call_first=False), _in_a_workflow),
    Fault("crash-after", "crash after", _crash(EXIT, call_first=True), _writes),
    Fault(
        "retry-after",
        "crash after",
        _crash(RETRIED, call_first=True),
        lambda c: c.writes and _in_a_workflow(c),
        asks_again=True,
    ),
    Fault("vanish-after", "crash after", _crash(VANISHED, call_first=True), lambda c: c.writes and _in_a_workflow(c)),
    Fault("lost", "unknown outcome", _lose_request),
    Fault("unanswered", "unknown outcome", _lose_answer, _writes),
    Fault("resent", "unknown outcome", _resend, lambda c: c.writes and c.of_aws),
    Fault("throttled", "throttle", _throttle),
    Fault("in-conflict", "throttle", _cancel("TransactionConflict"), _is_transaction),
    Fault("cancelled-by-throttle", "throttle", _cancel("ThrottlingError"), _is_transaction),
    Fault("cancelled-by-capacity", "throttle", _cancel("ProvisionedThroughputExceeded"), _is_transaction),
    Fault("twice", "delivered twice", _deliver_twice, asks_again=True),
    Fault("late", "delivered late", _deliver_late, lambda c: c.first),
    Fault("slow", "longer than the lease", _delay),
    Fault("overtaken", "longer than the lease", _overtake, _in_a_workflow),
)
# After these faults no work is repeated: the history equals that of an undisturbed scenario.
UNSEEN = {
    "unanswered",
    "resent",
    "retry-after",
    "twice",
    "late",
    "in-conflict",
    "cancelled-by-throttle",
    "cancelled-by-capacity",
}
KINDS = tuple(dict.fromkeys(fault.of for fault in FAULTS))
