"""Connect the domain and the functions to the stage.

Only the clock, randomness, clients and makers are replaced.
"""

import importlib
import json
import os
import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest import mock

from readdo import clock, files, invocations, runtime, schemas, store
from readdo.engine import breaker, engine_factory, extractive
from readdo.read import history
from readdo.runtime import logger
from readdo.transfer.backup import backup_run
from readdo.transfer.imports import import_commands, in_flight, line_capture, lines, pages
from readdo.transfer.restore import restore_run
from simulation import makers
from support import template

ROOMS = (
    *("lease", "extract", "summarize", "score", "todos", "card", "gate", "record_failure", "export", "heartbeat"),
    *("read_file", "import_lines", "backup", "restore"),
)
_SETTINGS = {
    "SCHEMAS_DIR": str(template.ROOT / "schemas"),
    "TABLE_NAME": "table",
    "BUCKET_NAME": "bucket",
    "PROCESS_MACHINE_ARN": "process_item",
    "EXPORT_MACHINE_ARN": "export_item",
    "BACKUP_MACHINE_ARN": "backup_all",
    "RESTORE_MACHINE_ARN": "restore_all",
    "IMPORT_MACHINE_ARN": "import_file",
    "IMPORT_SECONDS": "150",
    "SLICE_SECONDS": "200",
}


class _Now:
    """Current history.

    The replaced functions look it up at each call.
    """

    history: Any = None


_now = _Now()


def on(history: Any) -> None:
    _now.history = history


@contextmanager
def settings(run: Any) -> Iterator[None]:
    """Set the environment of one history.

    Some histories have lower limits, so that short histories exceed them.
    """
    environment = {"SKIP_POLICY": "on" if run.skips else "off", "LEASE_SECONDS": str(run.theme.lease)}
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, environment))
        if run.folds:
            stack.enter_context(mock.patch.multiple(history, CARRIED_MAX=6, CARRIED_AFTER_FOLDING=3))
        if run.theme.asks_a_model:
            stack.enter_context(mock.patch.object(breaker, "FAILURES", 2))
        if run.theme.imports:
            stack.enter_context(mock.patch.multiple(lines, ROUNDS=2, SLICES_MAX=5))
            stack.enter_context(mock.patch.object(in_flight, "IN_FLIGHT_MAX", 3))
            stack.enter_context(mock.patch.object(pages, "LINES", 3))
            stack.enter_context(mock.patch.object(import_commands, "WAITS_SECONDS", 400))
        if run.theme.backups:
            stack.enter_context(mock.patch.multiple(backup_run, PIECE_BYTES=4000, PAGE_ITEMS=2, JOINED_AT_ONCE=2))
        if run.theme.returns:
            stack.enter_context(mock.patch.multiple(restore_run, NOTED_AFTER=2, AT_ONCE=3))
        yield


@cache
def room(name: str) -> Any:
    return importlib.import_module(name)


@contextmanager
def stage_set() -> Iterator[None]:
    """Set up the stage, once a process; `on` then sets the history."""
    level = logger.log_level
    logger.setLevel("CRITICAL")
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {**template.defaults(), **_SETTINGS}))
        for target, name, value in _replacements():
            stack.enter_context(mock.patch.object(target, name, value))
        try:
            yield
        finally:
            logger.setLevel(level)


def _replacements() -> Iterator[tuple[Any, str, Any]]:
    yield store, "open_table", lambda: _now.history.table
    yield clock, "now", lambda: _now.history.stage.now()
    yield files, "client", lambda _service: _now.history.bucket
    yield invocations, "client", lambda _service: _now.history.workflows
    yield line_capture, "ThreadPoolExecutor", _SequentialExecutor
    yield engine_factory, "for_owner", lambda _table, owner: _now.history.engine(owner)
    yield extractive, "terms", lambda **_asked: ["lease", "租约"]
    yield room("extract").sources, "read", lambda url: _now.history.site.read(url)
    yield room("extract"), "read_article", lambda *asked: _now.history.site.read_article(*asked)
    yield room("export"), "render", lambda *asked, **how: makers.renderer(_now.history.network)(*asked, **how)
    yield runtime, "_record", lambda *_what: None
    yield runtime, "count_transition", lambda *what: _now.history.moved(*what)
    yield runtime, "_where", lambda _error: ""
    yield schemas, "schema_problem", _cached(schemas.schema_problem)
    yield schemas, "field_problems", _cached(schemas.field_problems)
    yield from _random_replacements()


class _SequentialExecutor:
    """Executor without threads, which the stage does not support.

    Lines of one page are captured in order; they race only with another worker.
    """

    def __init__(self, _count: int) -> None: ...

    def __enter__(self) -> "_SequentialExecutor":
        return self

    def __exit__(self, *_why: object) -> None: ...

    def submit(self, work: Callable[..., Any], *args: Any) -> SimpleNamespace:
        answer = work(*args)
        return SimpleNamespace(result=lambda: answer)


def _random_replacements() -> Iterator[tuple[Any, str, Any]]:
    """Replace randomness by the history's own, so that a history can be repeated."""

    def rng() -> random.Random:
        rng_of_history: random.Random = _now.history.stage.rng
        return rng_of_history

    yield secrets, "token_hex", lambda count=32: f"{rng().getrandbits(8 * count):0{2 * count}x}"
    yield secrets, "randbits", lambda count: rng().getrandbits(count)
    yield secrets, "randbelow", lambda below: rng().randrange(below)
    yield random, "shuffle", lambda listed: rng().shuffle(listed)
    yield random, "uniform", lambda low, high: rng().uniform(low, high)


def _cached(validate: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    """Cache the results: the same payloads are validated thousands of times."""
    results: dict[tuple[str, str], Any] = {}

    def cached(kind: str, payload: Any) -> Any:
        key = kind, json.dumps(payload, sort_keys=True)
        if key not in results:
            results[key] = validate(kind, payload)
        return results[key]

    return cached
