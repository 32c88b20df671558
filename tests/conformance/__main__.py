"""`make conformance`: compare the table double with moto and ministack, or with AWS_ENDPOINT_URL.

It prints each difference, a known one with its reason. At AWS_ENDPOINT_URL it creates its own table and deletes it at
the end; the credentials come from the environment.
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
from conformance.places import actual, at, expected, moto
from readdo.store.table import DynamoTable

_WIDTH = 160


def main() -> int:
    parser = argparse.ArgumentParser(prog="make conformance", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORDS", help="cases whose names have all of these words")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with quiet():
        cases = [case for case in every() if all(word in case.name for word in options.only.split())]
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        with at(endpoint) as table:
            return 1 if count_deviations(table, endpoint, cases) else 0
    with moto() as table:
        broken = count_deviations(table, "moto", cases)
    with ministack() as address, at(address) as table:
        broken += count_deviations(table, "ministack", cases)
    return 1 if broken else 0


def count_deviations(table: DynamoTable, implementation: str, cases: list[Case]) -> int:
    """Compare all cases and return the number of unknown deviations."""
    began, broken, known = time.monotonic(), 0, 0
    print(f"── {implementation} " + "─" * 40)
    for case in cases:
        with quiet():
            differing = list(differences(expected(case), actual(case, table)))
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
    """Discard the metrics that the product prints."""
    with redirect_stdout(io.StringIO()):
        yield


def differences(wants: Any, actual: Any, where: str = "") -> Iterator[str]:
    if isinstance(wants, dict) and isinstance(actual, dict):
        for name in dict.fromkeys((*wants, *actual)):
            yield from differences(wants.get(name, "(nothing)"), actual.get(name, "(nothing)"), f"{where} {name}")
    elif isinstance(wants, list) and isinstance(actual, list) and len(wants) == len(actual):
        for number, (one, other) in enumerate(zip(wants, actual, strict=True)):
            yield from differences(one, other, f"{where} {number}")
    elif wants != actual:
        yield f"{where.strip() or 'all of it'}: {_text(wants)} was to be told, and it tells {_text(actual)}"


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


if __name__ == "__main__":
    sys.exit(main())
