"""How long a fresh process takes to import a room, against `boto3.client("dynamodb")` from the same layer.

As on Lambda: its version of Python, the packaged and compiled code, its layers and nothing else. The processor's time
is counted and not the clock's, and the cases take turns, so that other work on the machine disturbs none alone.
"""

import resource
import statistics
import subprocess
from collections import defaultdict
from dataclasses import dataclass

from built import Built

from bench.figure import Figure, Figures, Say
from bench.packages import packages, paths

ROUNDS = 10


@dataclass(frozen=True)
class Case:
    name: str
    function: str
    code: str
    target: float | None = None  # times the floor


FLOOR = Case("boto3.client", "HttpApi", 'import boto3; boto3.client("dynamodb")')
_CLIENT = 'from readdo.runtime import client; client("dynamodb")'
_MODEL = "from readdo.engine.providers import openai_sdk, openai_server"
CASES = (
    Case("import http_api", "HttpApi", "import http_api", 1.7),
    Case("import extract", "Extract", "import extract", 2.5),
    Case("import summarize, and its model's client", "Summarize", f"import summarize; {_MODEL}", 4),
    Case("import export", "Export", "import export", 1.8),
    Case("http_api with its table's client", "HttpApi", f"import http_api; {_CLIENT}"),
)


def figures(say: Say) -> Figures:
    took: dict[Case, list[float]] = defaultdict(list)
    with packages() as made:
        for n in range(-1, ROUNDS):  # the first one only warms the disk
            say(f"processes are started, {max(n, 0) + 1} of {ROUNDS}")
            for case in (FLOOR, *CASES):
                seconds = start(made, case)
                took[case] += [seconds] if n >= 0 else []
    floor = _milliseconds(took[FLOOR])
    for case in CASES:
        yield Figure(case.name, _milliseconds(took[case]), "ms", floor, case.target)


def start(made: Built, case: Case) -> float:
    """Seconds of the processor."""
    code = f"import sys; sys.path[:0] = {paths(made, case.function)!r}\n{case.code}"
    before = _spent()
    command = [str(made.python), "-I", "-S", "-B", "-c", code]
    subprocess.run(command, env=made._environment(case.function), check=True)  # noqa: S603 - our own code
    return _spent() - before


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _milliseconds(found: list[float]) -> float:
    return statistics.median(found) * 1000
