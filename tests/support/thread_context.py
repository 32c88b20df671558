"""Let the threads of a pool inherit the context, so that their calls count as those of their function."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any
from unittest import mock


@contextmanager
def inherited_context() -> Iterator[None]:
    submit = ThreadPoolExecutor.submit

    def submit_with_context(self: ThreadPoolExecutor, work: Callable[..., Any], *args: Any) -> Any:
        return submit(self, copy_context().run, work, *args)

    with mock.patch.object(ThreadPoolExecutor, "submit", submit_with_context):
        yield
