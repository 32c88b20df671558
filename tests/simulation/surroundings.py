"""The domain and the rooms, put on the stage: clock, chance, clients and makers are exchanged, nothing of ours is."""

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

from readdo import clock, error_redaction, files, metrics, schemas, store
from readdo.do import task_claim
from readdo.engine import breaker, engine_factory, extractive
from readdo.read import backup_run, restore_run, workflows
from readdo.read.imports import import_commands, line_capture, lines, pages
from readdo.runtime import logger
from readdo.store import history
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
    """The history that is on: what was put on the stage asks for it anew each time."""

    history: Any = None


_now = _Now()


def on(history: Any) -> None:
    _now.history = history


@contextmanager
def settings(of: Any) -> Iterator[None]:
    """Of one history. Some limits are lower in some, so that what lies past them is met in short ones."""
    given = {"SKIP_POLICY": "on" if of.skips else "off", "LEASE_SECONDS": str(of.theme.lease)}
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, given))
        if of.folds:
            stack.enter_context(mock.patch.multiple(history, CARRIED_MAX=6, CARRIED_AFTER_FOLDING=3))
        if of.theme.asks_a_model:
            stack.enter_context(mock.patch.object(breaker, "FAILURES", 2))
        if of.theme.imports:
            stack.enter_context(mock.patch.multiple(lines, IN_FLIGHT_MAX=3, ROUNDS=2, SLICES_MAX=5))
            stack.enter_context(mock.patch.object(pages, "LINES", 3))
            stack.enter_context(mock.patch.object(import_commands, "WAITS_SECONDS", 400))
        if of.theme.backups:
            stack.enter_context(mock.patch.multiple(backup_run, PIECE_BYTES=4000, PAGE_ITEMS=2, JOINED_AT_ONCE=2))
        if of.theme.returns:
            stack.enter_context(mock.patch.multiple(restore_run, NOTED_AFTER=2, AT_ONCE=3))
        yield


@cache
def room(name: str) -> Any:
    return importlib.import_module(name)


@contextmanager
def stage_set() -> Iterator[None]:
    """Once a process; `on` then names the history."""
    level = logger.log_level
    logger.setLevel("CRITICAL")
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {**template.defaults(), **_SETTINGS}))
        for target, name, value in _exchanged():
            stack.enter_context(mock.patch.object(target, name, value))
        try:
            yield
        finally:
            logger.setLevel(level)


def _exchanged() -> Iterator[tuple[Any, str, Any]]:
    yield store, "open_table", lambda: _now.history.table
    yield clock, "now", lambda: _now.history.stage.now()
    yield files, "client", lambda _service: _now.history.bucket
    yield workflows, "client", lambda _service: _now.history.workflows
    yield line_capture, "ThreadPoolExecutor", _OneAfterTheOther
    yield engine_factory, "for_owner", lambda _table, owner: _now.history.engine(owner)
    yield extractive, "terms", lambda **_asked: ["lease", "租约"]
    yield room("extract").sources, "read", lambda url: _now.history.site.read(url)
    yield room("extract"), "read_article", lambda *asked: _now.history.site.read_article(*asked)
    yield room("export"), "render", lambda *asked, **how: makers.renderer(_now.history.network)(*asked, **how)
    yield metrics, "_say", lambda *_what: None
    yield metrics, "moved", lambda *what: _now.history.moved(*what)
    yield error_redaction, "_where", lambda _error: ""
    yield schemas, "problem", _remembered(schemas.problem)
    yield schemas, "complaints", _remembered(schemas.complaints)
    yield from _chance()


class _OneAfterTheOther:
    """Threads cannot be on the stage; lines of one page meet each other only where there are two workers."""

    def __init__(self, _count: int) -> None: ...

    def __enter__(self) -> "_OneAfterTheOther":
        return self

    def __exit__(self, *_why: object) -> None: ...

    def submit(self, work: Callable[..., Any], *given: Any) -> SimpleNamespace:
        answer = work(*given)
        return SimpleNamespace(result=lambda: answer)


def _chance() -> Iterator[tuple[Any, str, Any]]:
    """Of the stage's own seed, so that a history can be played again."""

    def rng() -> random.Random:
        found: random.Random = _now.history.stage.rng
        return found

    yield secrets, "token_hex", lambda count=32: f"{rng().getrandbits(8 * count):0{2 * count}x}"
    yield secrets, "randbits", lambda count: rng().getrandbits(count)
    yield secrets, "randbelow", lambda below: rng().randrange(below)
    yield task_claim.random, "shuffle", lambda listed: rng().shuffle(listed)
    yield breaker.random, "uniform", lambda low, high: rng().uniform(low, high)


def _remembered(judge: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    """The same payload is judged a thousand times over; its judgement does not change."""
    known: dict[tuple[str, str], Any] = {}

    def judged(kind: str, payload: Any) -> Any:
        key = kind, json.dumps(payload, sort_keys=True)
        if key not in known:
            known[key] = judge(kind, payload)
        return known[key]

    return judged
