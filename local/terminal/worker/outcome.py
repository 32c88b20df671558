"""What the end of a command means, as the API is told. The codes are those of sysexits.h.

0 done · 75 (EX_TEMPFAIL) the network, try again · 69 (EX_UNAVAILABLE) something that it needs is not there ·
anything else: it failed by itself
"""

import signal
from typing import Any

from terminal.text import clean, one_line
from terminal.worker.log import Log

KINDS = {75: "network", 69: "dependency"}
_MESSAGE, _SUMMARY = 500, 4000
_CLOSES = ".!?:;…。！？：；"


def of_end(exit_code: int, log: Log) -> dict[str, Any]:
    said = clean(log.last(_SUMMARY))
    if exit_code == 0:
        return {"exit_code": 0, "summary": said}
    kind = KINDS.get(exit_code, "execution")
    return {"exit_code": exit_code, "error_kind": kind, "summary": said, "error_message": _message(exit_code, log)}


def of_timeout(seconds: int, log: Log) -> dict[str, Any]:
    words = f"It did not end within its {seconds} seconds, and was stopped."
    return {"exit_code": 124, "error_kind": "timeout", "summary": clean(log.last(_SUMMARY)), "error_message": words}


def of_stop() -> dict[str, Any]:
    return {"exit_code": 130, "error_kind": "cancelled", "error_message": "Its worker was stopped."}


def _message(exit_code: int, log: Log) -> str:
    """Its last line: what goes wrong is mostly said there. The API goes on with a sentence of its own."""
    said = one_line(log.last(_MESSAGE - 1).rpartition("\n")[2])
    if not said:
        return f"It {_ended(exit_code)} and said nothing."
    return said if said[-1] in _CLOSES else f"{said}."


def _ended(exit_code: int) -> str:
    if exit_code >= 0:
        return f"ended with exit code {exit_code}"
    try:
        return f"was ended by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"was ended by signal {-exit_code}"
