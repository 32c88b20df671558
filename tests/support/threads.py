"""Many Lambdas in one process: what two threads would spoil for each other is locked, or each has its own."""

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from moto.dynamodb.responses import DynamoHandler
from moto.s3.responses import S3Response

_one_at_a_time = threading.RLock()


class _Call(threading.local):
    """Powertools keeps the present call on a class and its context on the app: Lambda never has two at once."""

    def __init__(self) -> None:
        self.event: Any = None
        self.context: dict[str, Any] = {}


_call = _Call()
_to_event = APIGatewayHttpResolver._to_proxy_event


def _kept(self: APIGatewayHttpResolver, event: dict[str, Any]) -> Any:
    _call.event = _to_event(self, event)
    return _call.event


def _locked(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def one_at_a_time(*given: Any) -> Any:
        with _one_at_a_time:
            return method(*given)

    return one_at_a_time


_SAFE: tuple[tuple[type, str, Any], ...] = (
    # moto looks and then writes: without a lock, races show several winners.
    (DynamoHandler, "call_action", _locked(DynamoHandler.call_action)),
    (S3Response, "put_object", _locked(S3Response.put_object)),
    (APIGatewayHttpResolver, "_to_proxy_event", _kept),
    (APIGatewayHttpResolver, "current_event", property(lambda _: _call.event)),
    # An app is made with an empty one, and so does each thread begin.
    (APIGatewayHttpResolver, "context", property(lambda _: _call.context, lambda _, __: None)),
)


def make_safe() -> None:
    """For good, and as often as you like: for a single thread nothing changes."""
    for owner, name, instead in _SAFE:
        setattr(owner, name, instead)
