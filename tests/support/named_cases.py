"""Many cases in one test: pytest takes 4 ms for each test."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def named_case(*words: object) -> Iterator[None]:
    """Add the name of the case to a failure."""
    try:
        yield
    except (Exception, pytest.fail.Exception) as failure:
        failure.add_note(f"case: {' '.join(map(str, words))}")
        raise
