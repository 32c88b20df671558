"""What breaks is told by its kind and place: its words may hold a user's text, and logs have other readers.

LeaseLost, RunIncomplete, StepFailed   are ours, and written to be read: they go on as they are
anything else                          leaves a room as Unexpected, with the name of its class
"""

import logging
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from readdo.errors import LeaseLost, RunIncomplete, StepFailed
from readdo.runtime import logger

# Others' packages put links and pieces of texts into their warnings, and Lambda writes down what the root hears. What
# matters of it reaches a room as an exception.
logging.getLogger().setLevel(logging.CRITICAL)

OURS = (LeaseLost, RunIncomplete, StepFailed)
_FRAMES = 6
Answer = TypeVar("Answer")


class Unexpected(Exception):
    """Its text is the name of what was raised."""


def log_error(words: str, error: BaseException, **ids: str) -> None:
    logger.error(words, extra={"error": kind_of(error), "where": _where(error), **ids})


def kind_of(error: BaseException) -> str:
    """The class, and the code if AWS gave one: ClientError AccessDenied."""
    answer = getattr(error, "response", None)
    code = answer.get("Error", {}).get("Code", "") if isinstance(answer, dict) else ""
    return f"{type(error).__name__} {code}".strip()


def quietly(handler: Callable[[Any, Any], Answer]) -> Callable[[Any, Any], Answer]:
    @wraps(handler)
    def room(event: Any, context: Any) -> Answer:
        try:
            return handler(event, context)
        except OURS:
            raise
        except Exception as error:
            log_error("unexpected", error)
            raise Unexpected(kind_of(error)) from None

    return room


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
