"""Make the handlers safe for several threads, which stand for several Lambdas.

Shared state is locked, or each thread has its own.
"""

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from aws_lambda_powertools.event_handler.api_gateway import Route
from moto.dynamodb.responses import DynamoHandler
from moto.s3.responses import S3Response

_one_at_a_time = threading.RLock()


class _Call(threading.local):
    """Current call of a thread.

    Powertools keeps the current call on a class and its context on the app: a Lambda never has two calls at once.
    """

    def __init__(self) -> None:
        self.event: Any = None
        self.context: dict[str, Any] = {}


_call = _Call()
_to_event = APIGatewayHttpResolver._to_proxy_event


def _keep_event(self: APIGatewayHttpResolver, event: dict[str, Any]) -> Any:
    _call.event = _to_event(self, event)
    return _call.event


def _lock_calls(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def one_at_a_time(*args: Any) -> Any:
        with _one_at_a_time:
            return method(*args)

    return one_at_a_time


_build = Route._build_middleware_stack


def _build_once(self: Route, *args: Any, **kwargs: Any) -> None:
    """Two threads that call a route for the first time would each wrap it, and every later call would fail."""
    with _one_at_a_time:
        if not self._middleware_stack_built:
            _build(self, *args, **kwargs)


_PATCHES: tuple[tuple[type, str, Any], ...] = (
    # moto checks and then writes: without a lock, races show several winners.
    (DynamoHandler, "call_action", _lock_calls(DynamoHandler.call_action)),
    (S3Response, "put_object", _lock_calls(S3Response.put_object)),
    (Route, "_build_middleware_stack", _build_once),
    (APIGatewayHttpResolver, "_to_proxy_event", _keep_event),
    (APIGatewayHttpResolver, "current_event", property(lambda _: _call.event)),
    # A new app has an empty context; each thread starts with an empty one, too.
    (APIGatewayHttpResolver, "context", property(lambda _: _call.context, lambda _, __: None)),
)


def make_safe() -> None:
    """Install the patches permanently.

    Safe to call several times; nothing changes for a single thread.
    """
    for owner, name, instead in _PATCHES:
        setattr(owner, name, instead)
