"""Map the end of a command to the API's result of a run. The exit codes are those of sysexits.h.

0 done · 75 (EX_TEMPFAIL) network error, retry · 69 (EX_UNAVAILABLE) a dependency is missing ·
any other: the command failed
"""

import signal
from typing import Any

from terminal.text import clean, one_line
from terminal.worker.log import Log

KINDS = {75: "network", 69: "dependency"}
_MESSAGE, _SUMMARY = 500, 4000
_CLOSES = ".!?:;…。！？：；"


def of_end(exit_code: int, log: Log) -> dict[str, Any]:
    summary = clean(log.last(_SUMMARY))
    if exit_code == 0:
        return {"exit_code": 0, "summary": summary}
    kind = KINDS.get(exit_code, "execution")
    return {"exit_code": exit_code, "error_kind": kind, "summary": summary, "error_message": _message(exit_code, log)}


def of_timeout(seconds: int, log: Log) -> dict[str, Any]:
    message = f"The command was stopped after its timeout of {seconds} seconds."
    return {"exit_code": 124, "error_kind": "timeout", "summary": clean(log.last(_SUMMARY)), "error_message": message}


def of_stop() -> dict[str, Any]:
    return {"exit_code": 130, "error_kind": "cancelled", "error_message": "The worker was stopped."}


def _message(exit_code: int, log: Log) -> str:
    """Return the last line of output, which mostly names the error.

    The message ends with a punctuation mark, because the API appends a sentence.
    """
    last_line = one_line(log.last(_MESSAGE - 1).rpartition("\n")[2])
    if not last_line:
        return f"The command {_describe_exit(exit_code)} without output."
    return last_line if last_line[-1] in _CLOSES else f"{last_line}."


def _describe_exit(exit_code: int) -> str:
    if exit_code >= 0:
        return f"ended with exit code {exit_code}"
    try:
        return f"was ended by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"was ended by signal {-exit_code}"
