"""Every call that a room makes to AWS, a model or a page, at the place where a fault would strike it."""

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
from readdo.mirror.notion import Notion
from support import template

HTTP_API, HEARTBEAT = "http_api", "heartbeat"
MODEL, FETCH, NOTION = "model", "fetch", "notion"
_READS = ("Get", "BatchGet", "Query", "List", "Describe", "Send")  # Send: of a fetch, which leaves nothing behind
Go = Callable[[], Any]


@dataclass(frozen=True)
class Call:
    room: str  # http_api's by its desk: "http_api capture"
    visit: int  # which of that room's invocations in the scene
    service: str
    operation: str
    nth: int  # of this operation in that invocation
    first: bool  # of all that this invocation does

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
    """The process is gone: nothing of the product's own may catch it."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class Unanswered(Exception):
    """What a client sees of a function that died."""


# What the workflow is told. One that is not told at all ends by the door for those who lost their lease: neither a
# retry nor a record of the failure follows, as when the whole execution is gone.
EXIT, RETRIED, VANISHED = "exit", "retried", "vanished"
_TOLD: dict[str, type[Exception]] = {
    EXIT: type("Runtime.ExitError", (Exception,), {}),
    RETRIED: type("Lambda.Unknown", (Exception,), {}),
    VANISHED: LeaseLost,
}


@dataclass
class Visit:
    """One invocation of a room."""

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


_at_work: ContextVar[Visit | None] = ContextVar("the visit at work", default=None)
Through = Callable[[Call, Visit, Go], Any]


@contextmanager
def outside() -> Iterator[None]:
    """What is called in here is nobody's."""
    before = _at_work.set(None)
    try:
        yield
    finally:
        _at_work.reset(before)


def _desk(event: dict[str, Any]) -> str:
    """The last word of a path with a verb, the method of one without."""
    last = event["rawPath"].rsplit("/", 1)[-1]
    method = event["requestContext"]["http"]["method"]
    return f"{HTTP_API} {last if method == 'POST' else method.lower()}"


@contextmanager
def watched(through: Through, visits: Counter[str]) -> Iterator[None]:
    """Every room's every call goes through `through`; `visits` numbers the invocations."""
    call_api, ask_model, ask_site = BaseClient._make_api_call, model_door.send, requests.Session.send
    ask_notion = Notion._sent
    rooms = [importlib.import_module(template.room(name)) for name in template.functions()]
    handlers = [room.handler for room in rooms]

    def aws(self: BaseClient, operation: str, given: dict[str, Any]) -> Any:
        return _pass(self.meta.service_model.service_name, operation, lambda: call_api(self, operation, dict(given)))

    def model(*given: Any, **named: Any) -> Any:
        return _pass(MODEL, "Ask", lambda: ask_model(*given, **named))

    def site(self: requests.Session, request: Any, **given: Any) -> Any:
        return _pass(FETCH, "Send", lambda: ask_site(self, request, **given))

    def notion(self: Notion, method: str, path: str, body: Any) -> Any:
        asked = "Query" if path.endswith("/query") else method.title()
        return _pass(NOTION, asked, lambda: ask_notion(self, method, path, body))

    def _pass(service: str, operation: str, go: Go) -> Any:
        visit = _at_work.get()
        return go() if visit is None else through(visit.call(service, operation), visit, go)

    BaseClient._make_api_call, model_door.send, requests.Session.send = aws, model, site
    vars_of_notion = patch.object(Notion, "_sent", notion)
    vars_of_notion.start()
    for room, handler in zip(rooms, handlers, strict=True):
        vars(room)["handler"] = _entered(room.__name__, handler, visits)
    try:
        yield
    finally:
        vars_of_notion.stop()
        BaseClient._make_api_call, model_door.send, requests.Session.send = call_api, ask_model, ask_site
        for room, handler in zip(rooms, handlers, strict=True):
            vars(room)["handler"] = handler


def _entered(room: str, handler: Callable[..., Any], visits: Counter[str]) -> Callable[..., Any]:
    def entered(event: dict[str, Any], context: Any) -> Any:
        name = _desk(event) if room == HTTP_API else room
        visits[name] += 1
        as_sent = copy.deepcopy(event)
        visit = Visit(name, visits[name], as_sent, lambda: entered(copy.deepcopy(as_sent), context))
        before = _at_work.set(visit)
        settings._kept.cache_clear()  # each room is a process of its own, and knows no other's key
        try:
            return handler(event, context)
        except Died as died:
            raise (Unanswered if room == HTTP_API else _TOLD[died.how])(died.how) from None
        finally:
            _at_work.reset(before)
            for after in visit.at_end:
                after()

    return entered
