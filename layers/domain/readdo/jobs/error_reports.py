"""Parse the error that an execution caught: its name and cause, as Step Functions passes them on."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from readdo.errors import StepFailed
from readdo.runtime import Unexpected


class NotRun(NamedTuple):
    """Why a function did not run. Nothing was tried, so no attempt is counted."""

    key: str  # of the message
    wait_seconds: int  # until it is started again


NO_PLACE = NotRun("run.no_place", 120)
NOT_LOADED = NotRun("run.not_loaded", 600)  # as in the middle of a deployment


def reported_failure(error: Mapping[str, str]) -> StepFailed | None:
    """The failure that the function reported itself, if any."""
    try:
        return StepFailed.parse(_parse_cause(error)["errorMessage"])
    except (ValueError, KeyError, TypeError):
        return None


def is_timeout(error: Mapping[str, str]) -> bool:
    timed_out = error.get("Error", "") in ("States.Timeout", "Sandbox.Timedout")
    return timed_out or "timed out" in error.get("Cause", "").lower()


def why_not_run(error: Mapping[str, str]) -> NotRun | None:
    if error.get("Error") == "Lambda.TooManyRequestsException":
        return NO_PLACE
    is_loaded = "Runtime.ImportModuleError" not in (error.get("Error"), error_class(error))
    return None if is_loaded else NOT_LOADED


def error_class(error: Mapping[str, str]) -> str:
    """The exception's class. Unexpected has the original class as its text."""
    report = _parse_cause(error)
    is_unexpected = report.get("errorType") == Unexpected.__name__
    return str(report.get("errorMessage" if is_unexpected else "errorType", ""))


def _parse_cause(error: Mapping[str, str]) -> dict[str, Any]:
    """Lambda's report of the exception. Only its class is used: the message may contain a user's text."""
    try:
        report = json.loads(error.get("Cause", ""))
    except ValueError:
        return {}
    return report if isinstance(report, dict) else {}
