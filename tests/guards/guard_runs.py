"""Run pytest in forked processes: heavy modules are imported once, the product again in each process."""

import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from guards.guard_hook import ROOT

LIMIT_SECONDS = 600
# Third-party modules that most tests import.
_HEAVY = (
    *("boto3", "botocore.session", "jsonschema", "samtranslator.translator.transform"),
    *("moto.dynamodb.models", "moto.s3.models", "moto.stepfunctions.models", "moto.cloudformation.parsing"),
    *("moto.awslambda_simple.models", "moto.backends", "aws_lambda_powertools"),
)
Work = Callable[[], Any]


def warm_up() -> None:
    for name in _HEAVY:
        importlib.import_module(name)
    from support import template  # noqa: PLC0415 - heavy as well

    template.transformed()


def each(jobs: Iterable[tuple[str, Work]], at_once: int) -> Iterator[tuple[str, Any, str]]:
    """Yield (name, result, output) of each job as it ends.

    The result is None if the job ended abnormally.
    """
    waiting, running = iter(jobs), dict[int, tuple[str, Path, float]]()
    with tempfile.TemporaryDirectory() as folder:
        more = True
        while more or running:
            while more and len(running) < at_once:
                job = next(waiting, None)
                more = job is not None
                if job:
                    pid = _fork(job[1], Path(folder))
                    running[pid] = (job[0], Path(folder) / f"{pid}", time.monotonic())
            for pid in [pid for pid, (_, _, began) in running.items() if _has_ended(pid, began)]:
                name, path, _ = running.pop(pid)
                answer, out = path.with_suffix(".json"), path.with_suffix(".out")
                result = json.loads(answer.read_text()) if answer.exists() else None
                yield name, result, out.read_text(errors="replace") if out.exists() else ""
            time.sleep(0.01)


def _has_ended(pid: int, began: float) -> bool:
    if os.waitpid(pid, os.WNOHANG) != (0, 0):
        return True
    if time.monotonic() - began < LIMIT_SECONDS:
        return False
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return True


def _fork(work: Work, folder: Path) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    path = folder / str(os.getpid())
    out = os.open(path.with_suffix(".out"), os.O_CREAT | os.O_WRONLY)
    os.dup2(out, 1)
    os.dup2(out, 2)
    code = 1
    try:
        result = json.dumps(work())
        path.with_suffix(".half").write_text(result)
        path.with_suffix(".half").rename(path.with_suffix(".json"))
        code = 0
    except BaseException:  # no error may continue in the parent's code
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


class RunRecorder:
    """Pytest plugin that records the running test, durations, failures and failed imports."""

    def __init__(self, order: dict[str, int] | None = None) -> None:
        self.order = order
        self.running = ""
        self.seconds: dict[str, float] = {}
        self.red: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        order = self.order
        if order is not None:
            items[:] = sorted((i for i in items if i.nodeid in order), key=lambda i: order[i.nodeid])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.red.append(f"{report.nodeid} (while it is imported)")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.running = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.red.append(report.nodeid)

    def run(self, *args: str) -> int:
        os.chdir(ROOT)
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # no plugin is needed, and some take longer than the tests
        return int(pytest.main(["-q", *args], plugins=[self]))
