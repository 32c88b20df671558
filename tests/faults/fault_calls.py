"""Intercept every call that a function makes to AWS, a model or a page, where a fault may hit it."""

import copy
import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import requests
from botocore.client import BaseClient

from readdo.engine import settings
from readdo.engine.providers import model_transport as model_door
from readdo.errors import LeaseLost
from readdo.integrations.notion.notion import Notion
from support import template

HTTP_API, HEARTBEAT = "http_api", "heartbeat"
MODEL, FETCH, NOTION = "model", "fetch", "notion"
_READS = ("Get", "BatchGet", "Query", "List", "Describe", "Send")  # Send: a fetch, which stores nothing
Go = Callable[[], Any]


@dataclass(frozen=True)
class Call:
    room: str  # http_api has one name per endpoint: "http_api capture"
    visit: int  # the number of the function's invocation in the scenario
    service: str
    operation: str
    nth: int  # the number of this operation in that invocation
    first: bool  # the first call of that invocation

    @property
    def same(self) -> tuple[str, str, str, int]:
        return self.room, self.service, self.operation, self.nth

    @property
    def writes(self) -> bool:
        return not self.operation.startswith(_READS)

    @property
    def of_aws(self) -> bool:
        return self.service not in (MODEL, FETCH, NOTION)

    def __str__(self) -> str:
        return f"{self.room}[{self.visit}].{self.service}.{self.operation}[{self.nth}]"


class Died(BaseException):
    """Crash of the process: no handler of the product may catch it."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class Unanswered(Exception):
    """Error that a client gets when the function crashed."""


# The workflow's view of a crash. VANISHED stands for an execution that is gone without an error: as a lost lease, it is
# followed neither by a retry nor by a record of the failure.
EXIT, RETRIED, VANISHED = "exit", "retried", "vanished"
_WORKFLOW_ERRORS: dict[str, type[Exception]] = {
    EXIT: type("Runtime.ExitError", (Exception,), {}),
    RETRIED: type("Lambda.Unknown", (Exception,), {}),
    VANISHED: LeaseLost,
}


@dataclass
class Visit:
    """Invocation of a function."""

    room: str
    number: int
    event: dict[str, Any]
    again: Callable[[], Any]
    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    at_end: list[Callable[[], None]] = field(default_factory=list)

    def call(self, service: str, operation: str) -> Call:
        first = not self.counted
        self.counted[service, operation] += 1
        return Call(self.room, self.number, service, operation, self.counted[service, operation], first)


_current_visit: ContextVar[Visit | None] = ContextVar("the visit at work", default=None)
Through = Callable[[Call, Visit, Go], Any]


@contextmanager
def outside() -> Iterator[None]:
    """Calls inside this block belong to no invocation."""
    before = _current_visit.set(None)
    try:
        yield
    finally:
        _current_visit.reset(before)


def _endpoint(event: dict[str, Any]) -> str:
    """Return the endpoint: the last word of a path with a verb, else the method."""
    last = event["rawPath"].rsplit("/", 1)[-1]
    method = event["requestContext"]["http"]["method"]
    return f"{HTTP_API} {last if method == 'POST' else method.lower()}"


@contextmanager
def watched(through: Through, visits: Counter[str]) -> Iterator[None]:
    """Route every call of every function through `through`; `visits` counts the invocations."""
    call_api, ask_model, ask_site = BaseClient._make_api_call, model_door.send, requests.Session.send
    ask_notion = Notion._sent
    rooms = [importlib.import_module(template.function_name(name)) for name in template.functions()]
    handlers = [room.handler for room in rooms]

    def aws(self: BaseClient, operation: str, args: dict[str, Any]) -> Any:
        return _intercept(
            self.meta.service_model.service_name, operation, lambda: call_api(self, operation, dict(args))
        )

    def model(*args: Any, **kwargs: Any) -> Any:
        return _intercept(MODEL, "Ask", lambda: ask_model(*args, **kwargs))

    def site(self: requests.Session, request: Any, **args: Any) -> Any:
        return _intercept(FETCH, "Send", lambda: ask_site(self, request, **args))

    def notion(self: Notion, method: str, path: str, body: Any) -> Any:
        operation = "Query" if path.endswith("/query") else method.title()
        return _intercept(NOTION, operation, lambda: ask_notion(self, method, path, body))

    def _intercept(service: str, operation: str, go: Go) -> Any:
        visit = _current_visit.get()
        return go() if visit is None else through(visit.call(service, operation), visit, go)

    BaseClient._make_api_call, model_door.send, requests.Session.send = aws, model, site
    vars_of_notion = patch.object(Notion, "_sent", notion)
    vars_of_notion.start()
    for room, handler in zip(rooms, handlers, strict=True):
        vars(room)["handler"] = _track_visits(room.__name__, handler, visits)
    try:
        yield
    finally:
        vars_of_notion.stop()
        BaseClient._make_api_call, model_door.send, requests.Session.send = call_api, ask_model, ask_site
        for room, handler in zip(rooms, handlers, strict=True):
            vars(room)["handler"] = handler


def _track_visits(room: str, handler: Callable[..., Any], visits: Counter[str]) -> Callable[..., Any]:
    def entered(event: dict[str, Any], context: Any) -> Any:
        name = _endpoint(event) if room == HTTP_API else room
        visits[name] += 1
        as_sent = copy.deepcopy(event)
        visit = Visit(name, visits[name], as_sent, lambda: entered(copy.deepcopy(as_sent), context))
        before = _current_visit.set(visit)
        settings._stored_key.cache_clear()  # each function is a process of its own and shares no cached key
        try:
            return handler(event, context)
        except Died as died:
            raise (Unanswered if room == HTTP_API else _WORKFLOW_ERRORS[died.how])(died.how) from None
        finally:
            _current_visit.reset(before)
            for after in visit.at_end:
                after()

    return entered
