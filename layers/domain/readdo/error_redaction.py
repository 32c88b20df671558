"""Redaction of exceptions: logs get only class and place, as a message may contain a user's text.

LeaseLost, RunIncomplete, StepFailed   have safe messages, and leave the function unchanged
any other exception                    leaves the function as Unexpected, with the name of its class
"""

import logging
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from readdo.errors import LeaseLost, RunIncomplete, StepFailed
from readdo.runtime import log_context, logger

# Libraries put links and parts of texts into their warnings, and Lambda logs all records of the root logger. Errors
# that matter reach the function as exceptions.
logging.getLogger().setLevel(logging.CRITICAL)

OURS = (LeaseLost, RunIncomplete, StepFailed)
_FRAMES = 6
Answer = TypeVar("Answer")


class Unexpected(Exception):
    """The message is the name of the original exception class."""


def log_error(words: str, error: BaseException, **ids: str) -> None:
    logger.error(words, extra={"error": kind_of(error), "where": _where(error), **ids})


def kind_of(error: BaseException) -> str:
    """The class, and the AWS error code if there is one, such as `ClientError AccessDenied`."""
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code", "") if isinstance(response, dict) else ""
    return f"{type(error).__name__} {code}".strip()


def redact_errors(handler: Callable[[Any, Any], Answer]) -> Callable[[Any, Any], Answer]:
    """Decorate a handler: redact its errors, and log its context."""

    logged = log_context(handler)

    @wraps(handler)
    def redacted(event: Any, context: Any) -> Answer:
        try:
            return logged(event, context)
        except OURS:
            raise
        except Exception as error:
            log_error("unexpected", error)
            raise Unexpected(kind_of(error)) from None

    return redacted


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
