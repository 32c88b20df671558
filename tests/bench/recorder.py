"""Record every AWS call with its cost, every invocation and every logged byte.

The recorder covers the code of the Lambda functions.
"""

import importlib
import io
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from logging import StreamHandler
from typing import Any

from botocore.client import BaseClient

from bench import dynamo_calls
from bench.dynamo_calls import Meter, Parameters
from bench.units import Index, Spent
from readdo.runtime import logger
from support import template
from support.thread_context import inherited_context

# moto's workflows run in their own threads. A lock keeps a row and the call that changes it together.
_one_at_a_time = threading.RLock()


@dataclass
class Call:
    room: str
    service: str
    operation: str
    parameters: Parameters
    meter: Meter = field(default_factory=Meter)
    stored: int = 0  # bytes that S3 stores for it
    refused: str = ""  # name of the exception, if the call failed


@dataclass
class Invocation:
    room: str
    own_seconds: float = 0.0  # processor time, without calls to AWS
    calls: int = 0
    logged: list[str] = field(default_factory=list)  # lines
    answer: Any = None


@dataclass
class Record:
    calls: list[Call] = field(default_factory=list)
    invocations: list[Invocation] = field(default_factory=list)

    def since(self, mark: tuple[int, int]) -> "Record":
        return Record(self.calls[mark[0] :], self.invocations[mark[1] :])

    def forget(self) -> None:
        self.calls.clear()
        self.invocations.clear()

    @property
    def mark(self) -> tuple[int, int]:
        return len(self.calls), len(self.invocations)

    @property
    def writes(self) -> Spent:
        return sum((call.meter.writes for call in self.calls), Counter())

    @property
    def reads(self) -> Spent:
        return sum((call.meter.reads for call in self.calls), Counter())

    def of(self, service: str, *operations: str) -> list[Call]:
        return [c for c in self.calls if c.service == service and (not operations or c.operation in operations)]


_at_work: ContextVar[Invocation | None] = ContextVar("the invocation at work", default=None)


class _Log(io.TextIOBase):
    """Standard output that collects the lines of a running function and passes everything else on."""

    def __init__(self, other: Any) -> None:
        self._other = other

    def write(self, text: str) -> int:
        invocation = _at_work.get()
        if invocation is None:
            return int(self._other.write(text))
        invocation.logged += [line for line in text.splitlines() if line]
        return len(text)

    def flush(self) -> None:
        self._other.flush()


@contextmanager
def recorded(indexes: tuple[Index, ...]) -> Iterator[Record]:
    """Record the functions' calls while a world is open, at the log level of a deployment."""
    record = Record()
    call_api, stdout, level = BaseClient._make_api_call, sys.stdout, logger.log_level
    log: Any = _Log(stdout)
    rooms = [importlib.import_module(template.function_name(name)) for name in template.functions()]
    handlers = [room.handler for room in rooms]
    BaseClient._make_api_call = _recording_call(record, indexes, call_api)
    for room, handler in zip(rooms, handlers, strict=True):
        vars(room)["handler"] = _recording_invocation(record, room.__name__, handler)
    sys.stdout = log
    logger.setLevel("INFO")
    streams = [(output, output.setStream(log)) for output in logger.handlers if isinstance(output, StreamHandler)]
    try:
        with inherited_context():
            yield record
    finally:
        for output, stream in streams:
            output.setStream(stream)
        logger.setLevel(level)
        sys.stdout = stdout
        for room, handler in zip(rooms, handlers, strict=True):
            vars(room)["handler"] = handler
        BaseClient._make_api_call = call_api


def _recording_call(record: Record, indexes: tuple[Index, ...], call_api: Callable[..., Any]) -> Callable[..., Any]:
    def recorded_call(self: BaseClient, operation: str, parameters: Parameters) -> Any:
        invocation = _at_work.get()
        if invocation is None:
            return call_api(self, operation, parameters)
        started = time.thread_time()
        call = Call(invocation.room, self.meta.service_model.service_name, operation, parameters)
        try:
            with _one_at_a_time:
                record.calls.append(call)
                return _metered_call(call, indexes, lambda name, parameters: call_api(self, name, parameters))
        except Exception as error:
            call.refused = type(error).__name__
            raise
        finally:
            invocation.own_seconds -= time.thread_time() - started
            invocation.calls += 1

    return recorded_call


def _metered_call(call: Call, indexes: tuple[Index, ...], call_api: dynamo_calls.Call) -> Any:
    if call.service == "dynamodb":
        return dynamo_calls.metered(call_api, indexes, call.operation, call.parameters, call.meter)
    body = len(call.parameters["Body"]) if call.operation == "PutObject" else 0  # botocore turns the body into a stream
    answer = call_api(call.operation, call.parameters)
    call.stored = body
    return answer


def _recording_invocation(record: Record, room: str, handler: Callable[..., Any]) -> Callable[..., Any]:
    def recorded_handler(event: Any, context: Any) -> Any:
        invocation = Invocation(room)
        record.invocations.append(invocation)
        token = _at_work.set(invocation)
        started = time.thread_time()
        try:
            invocation.answer = handler(event, context)
            return invocation.answer
        finally:
            invocation.own_seconds += time.thread_time() - started
            _at_work.reset(token)

    return recorded_handler
