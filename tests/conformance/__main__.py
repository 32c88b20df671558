"""`make conformance`: the double of the store beside moto and ministack, or what AWS_ENDPOINT_URL names.

What differs is shown, and what is known to differ with its reason. At AWS_ENDPOINT_URL it makes a table of its own, and
deletes it at the end; the credentials are those of the environment.
"""

import argparse
import io
import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from conformance.all_cases import every
from conformance.cases import Case
from conformance.deviations import reason
from conformance.own_stack import ministack
from conformance.places import at, expected, moto, told
from readdo.store.table import DynamoTable

_WIDTH = 160


def main() -> int:
    asked = argparse.ArgumentParser(prog="make conformance", description=__doc__)
    asked.add_argument("--only", default="", metavar="WORDS", help="cases whose names have all of these words")
    options = asked.parse_args()
    logging.disable(logging.CRITICAL)
    with quiet():
        cases = [case for case in every() if all(word in case.name for word in options.only.split())]
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        with at(endpoint) as table:
            return 1 if deviating(table, endpoint, cases) else 0
    with moto() as table:
        broken = deviating(table, "moto", cases)
    with ministack() as address, at(address) as table:
        broken += deviating(table, "ministack", cases)
    return 1 if broken else 0


def deviating(table: DynamoTable, implementation: str, cases: list[Case]) -> int:
    """How many cases deviate without being known to."""
    began, broken, known = time.monotonic(), 0, 0
    print(f"── {implementation} " + "─" * 40)
    for case in cases:
        with quiet():
            differing = list(differences(expected(case), told(case, table)))
        if not differing:
            continue
        why = reason(implementation, case.name)
        broken, known = (broken, known + 1) if why else (broken + 1, known)
        print(case.name, *([f"    known: {why}"] if why else [f"    {line}" for line in differing[:8]]), sep="\n")
    print(f"\n{len(cases)} cases on {implementation}: {len(cases) - broken - known} as the double says, ", end="")
    print(f"{known} known deviations, {broken} others ({time.monotonic() - began:.0f} s)\n")
    return broken


@contextmanager
def quiet() -> Iterator[None]:
    """Without the figures that the product counts as it moves."""
    with redirect_stdout(io.StringIO()):
        yield


def differences(said: Any, found: Any, where: str = "") -> Iterator[str]:
    if isinstance(said, dict) and isinstance(found, dict):
        for name in dict.fromkeys((*said, *found)):
            yield from differences(said.get(name, "(nothing)"), found.get(name, "(nothing)"), f"{where} {name}")
    elif isinstance(said, list) and isinstance(found, list) and len(said) == len(found):
        for number, (one, other) in enumerate(zip(said, found, strict=True)):
            yield from differences(one, other, f"{where} {number}")
    elif said != found:
        yield f"{where.strip() or 'all of it'}: {_text(said)} was to be told, and it tells {_text(found)}"


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


if __name__ == "__main__":
    sys.exit(main())
