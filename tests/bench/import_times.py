"""Measure how long a fresh process takes to import a function, relative to a boto3 client.

The floor is `boto3.client("dynamodb")` from the same layer. The process runs as on Lambda: the same version of Python,
the packaged and compiled code, its layers and nothing else. The figures are processor time, not wall time, and the
cases take turns, so that other load on the machine affects all of them alike.
"""

import resource
import statistics
import subprocess
from collections import defaultdict
from dataclasses import dataclass

from bench.figure import Figure, Figures, Say
from bench.packages import packages, paths
from support.built import Built

ROUNDS = 10


@dataclass(frozen=True)
class Case:
    name: str
    function: str
    code: str
    target: float | None = None  # multiple of the floor


FLOOR = Case("boto3.client", "HttpApi", 'import boto3; boto3.client("dynamodb")')
_CLIENT = 'from readdo.runtime import client; client("dynamodb")'
_ROUTES = 'from routes.all_routes import include_routes; include_routes(http_api.app, "/items")'
_MODEL = "from readdo.engine.providers import openai_sdk, openai_server"
CASES = (
    Case("import http_api", "HttpApi", "import http_api", 1.7),
    Case("import extract", "Extract", "import extract", 2.5),
    Case("import summarize, with the model client", "Summarize", f"import summarize; {_MODEL}", 4),
    Case("import export", "Export", "import export", 1.8),
    Case("http_api with its DynamoDB client", "HttpApi", f"import http_api; {_CLIENT}", 1.7),
    Case("the same with the routes of /items", "HttpApi", f"import http_api; {_CLIENT}; {_ROUTES}"),
)


def figures(say: Say) -> Figures:
    took: dict[Case, list[float]] = defaultdict(list)
    with packages() as built:
        for n in range(-1, ROUNDS):  # the first round only warms the disk cache
            say(f"starting processes, round {max(n, 0) + 1} of {ROUNDS}")
            for case in (FLOOR, *CASES):
                seconds = start(built, case)
                took[case] += [seconds] if n >= 0 else []
    floor = _milliseconds(took[FLOOR])
    for case in CASES:
        yield Figure(case.name, _milliseconds(took[case]), "ms", floor, case.target)


def start(built: Built, case: Case) -> float:
    """Start the process and return its processor seconds."""
    code = f"import sys; sys.path[:0] = {paths(built, case.function)!r}\n{case.code}"
    before = _child_cpu_seconds()
    command = [str(built.python), "-I", "-S", "-B", "-c", code]
    subprocess.run(command, env=built._environment(case.function), check=True)  # noqa: S603 - our own code
    return _child_cpu_seconds() - before


def _child_cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _milliseconds(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1000
