"""The six faults, each in the forms that a caller can tell apart; what is delivered twice may also come much later."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import requests
import urllib3
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError
from fault_calls import EXIT, FETCH, HTTP_API, MODEL, NOTION, RETRIED, VANISHED, Call, Died, Go, Visit

from readdo.engine.providers.model_transport import ConnectionClosed, Reply
from readdo.mirror.notion import NotionError

_BUSY = {
    "dynamodb": "ProvisionedThroughputExceededException",
    "s3": "SlowDown",
    "stepfunctions": "ThrottlingException",
    "ssm": "ThrottlingException",
    "lambda": "TooManyRequestsException",
}
_WAIT_SECONDS = 120
SILENT = NotionError("SILENT", "Notion did not answer.", 60)


@dataclass(frozen=True)
class Blow:
    """One fault as it strikes: the call, whose it is, and how it is made."""

    call: Call
    visit: Visit
    go: Go
    time_passes: Callable[[], None]  # past the lease's end, until all others have come to rest
    overtaken: Callable[[], None]  # past the lease's end, and the next has it, and waits until this one has ended
    once_more: Callable[[], None]  # the room's same event, delivered a second time


Strike = Callable[[Blow], Any]


def _crash(how: str, *, made: bool) -> Strike:
    def strike(blow: Blow) -> Any:
        if made:
            blow.go()
        raise Died(how)

    return strike


def _lost(blow: Blow) -> Any:
    raise _unreachable(blow.call.service)


def _unanswered(blow: Blow) -> Any:
    blow.go()
    raise _silent(blow.call.service)


def _throttled(blow: Blow) -> Any:
    if blow.call.service == MODEL:
        return Reply(429, (("Retry-After", str(_WAIT_SECONDS)),), b'{"error": {"message": "slow down"}}')
    if blow.call.service == FETCH:
        return _busy_site()
    if blow.call.service == NOTION:
        return 429, {}, 1800.0
    raise _refused(blow.call, _BUSY[blow.call.service])


def _in_conflict(blow: Blow) -> Any:
    raise _refused(blow.call, "TransactionCanceledException", CancellationReasons=[{"Code": "TransactionConflict"}])


def _resent(blow: Blow) -> Any:
    """The SDK heard no answer and sent it again."""
    blow.go()
    return blow.go()


def _twice(blow: Blow) -> Any:
    blow.once_more()
    return blow.go()


def _slow(blow: Blow) -> Any:
    blow.time_passes()
    return blow.go()


def _overtaken(blow: Blow) -> Any:
    blow.overtaken()
    return blow.go()


def _late(blow: Blow) -> Any:
    return blow.go()


def _refused(call: Call, code: str, **more: Any) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "too much at once"}, **more}, call.operation)


def _unreachable(service: str) -> Exception:
    known = {
        MODEL: ConnectionClosed("unreachable", "nobody there"),
        FETCH: requests.ConnectionError("nobody there"),
        NOTION: SILENT,
    }
    return known.get(service) or EndpointConnectionError(endpoint_url="https://aws.invalid")


def _silent(service: str) -> Exception:
    known = {MODEL: ConnectionClosed("slow", "no answer"), FETCH: requests.ReadTimeout("no answer"), NOTION: SILENT}
    return known.get(service) or ReadTimeoutError(endpoint_url="https://aws.invalid")


def _busy_site() -> requests.Response:
    answer = requests.Response()
    answer.status_code, answer.url = 503, "http://site.invalid"
    answer.raw = urllib3.HTTPResponse(io.BytesIO(b""), status=503, preload_content=False)
    return answer


@dataclass(frozen=True)
class Fault:
    name: str
    of: str  # which of the six
    strike: Strike
    fits: Callable[[Call], bool] = lambda _: True
    asks_again: bool = False  # by its nature a model that was asked already


def _in_a_workflow(call: Call) -> bool:
    return not call.room.startswith((HTTP_API, "heartbeat"))


def _leaves_a_mark(call: Call) -> bool:
    return call.writes


# What a read leaves behind is nothing: to have died after it is to have died before the next call.
FAULTS = (
    Fault("crash-before", "crash before", _crash(EXIT, made=False)),
    Fault("vanish-before", "crash before", _crash(VANISHED, made=False), _in_a_workflow),
    Fault("crash-after", "crash after", _crash(EXIT, made=True), _leaves_a_mark),
    Fault(
        "retry-after",
        "crash after",
        _crash(RETRIED, made=True),
        lambda c: c.writes and _in_a_workflow(c),
        asks_again=True,
    ),
    Fault("vanish-after", "crash after", _crash(VANISHED, made=True), lambda c: c.writes and _in_a_workflow(c)),
    Fault("lost", "unknown outcome", _lost),
    Fault("unanswered", "unknown outcome", _unanswered, _leaves_a_mark),
    Fault("resent", "unknown outcome", _resent, lambda c: c.writes and c.of_aws),
    Fault("throttled", "throttle", _throttled),
    Fault("in-conflict", "throttle", _in_conflict, lambda c: c.operation == "TransactWriteItems"),
    Fault("twice", "delivered twice", _twice, asks_again=True),
    Fault("late", "delivered late", _late, lambda c: c.first),
    Fault("slow", "longer than the lease", _slow),
    Fault("overtaken", "longer than the lease", _overtaken, _in_a_workflow),
)
# After these nothing needs to be done again: the history is that of a scene that nobody disturbed.
UNSEEN = {"unanswered", "resent", "retry-after", "twice", "late", "in-conflict"}
KINDS = tuple(dict.fromkeys(fault.of for fault in FAULTS))
