"""Failures of commands, with exit codes and next steps.

0 done · 1 failed · 2 usage error · 3 not found · 4 not possible in the current state ·
5 no connection or server error · 6 not authorised · 130 interrupted
"""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal.text import clean_json
from terminal.words import next_commands

FAILED, USAGE, MISSING, REFUSED, UNREACHABLE, UNAUTHORISED, INTERRUPTED = 1, 2, 3, 4, 5, 6, 130
TRIES = 3
AGAIN = frozenset({429, 500, 502, 503, 504})  # statuses after which a request is sent again
_EXIT = {400: USAGE, 401: UNAUTHORISED, 403: UNAUTHORISED, 404: MISSING, 413: USAGE}
_NEXT = {
    401: "Check that READDO_URL and READDO_TOKEN belong together, or run: readdo doctor",
    403: "Use a token with that scope: READDO_TOKEN or --token. List your tokens: readdo token list",
    412: "It was changed in the meantime. Show it again: readdo show ID",
    413: "Send only the relevant part of the text.",
    422: "Use another key, or leave out the key.",
    429: "Too many requests. Wait a moment, then try again.",
}
_COLLECT_LISTS = {"assignments": "list --all", "documents": "documents"}
_SERVERS_FAULT = "Try again in a few minutes. If it still fails, run: readdo doctor"
# The API's message also lists the actions; the client shows them as commands instead.
_LISTED = " Available now:"


class CommandFailure(Exception):
    """A failure that is printed to stderr: the message, then the next steps."""

    def __init__(
        self,
        message: str,
        *next_steps: str,
        exit_code: int = FAILED,
        code: str = "FAILED",
        status: int = 0,
        error: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.next_steps, self.exit_code, self.status = message, next_steps, exit_code, status
        self.error = dict(error or {"code": code, "message": message, "details": {}})
        if next_steps and error is None:
            self.error["next"] = list(next_steps)

    @property
    def details(self) -> dict[str, Any]:
        details = self.error.get("details")
        return details if isinstance(details, dict) else {}


def usage(message: str, *next_steps: str) -> CommandFailure:
    return CommandFailure(message, *next_steps, exit_code=USAGE, code="USAGE")


def missing(message: str, *next_steps: str) -> CommandFailure:
    return CommandFailure(message, *next_steps, exit_code=MISSING, code="NOT_FOUND")


def unreachable(message: str, *next_steps: str) -> CommandFailure:
    return CommandFailure(message, *next_steps, exit_code=UNREACHABLE, code="NO_CONNECTION")


def job_failed(job: Mapping[str, Any], name: str, *next_steps: str) -> CommandFailure:
    """Build the failure of a backup, a restore or an export that the server could not finish."""
    failure = job.get("failure") or {}
    message, code = failure.get("message") or f"The {name} failed.", failure.get("error_code")
    return CommandFailure(str(message), *next_steps, code=str(code or f"{name.upper()}_FAILED"))


def from_response(status: int, body: Any, path: str = "") -> CommandFailure:
    """Build a failure from the API's error, or from the status if another server (a proxy) responded."""
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        error = {"code": f"HTTP_{status}", "message": f"The server returned status {status}.", "details": {}}
    safe_error = clean_json(error)
    message = str(safe_error.get("message") or f"The server returned status {status}.").split(_LISTED)[0]
    steps = _list_command(path) if status == 404 else _steps(status, safe_error.get("details"))
    return CommandFailure(message, *steps, exit_code=exit_code_of(status), status=status, error=error)


def _list_command(path: str) -> Sequence[str]:
    """Return the command that lists what exists, by the path that was not found."""
    parts = path.partition("?")[0].split("/")[1:]
    if parts[0] == "tokens":
        return ["List your tokens: readdo token list"]
    if parts[0] in _COLLECT_LISTS:
        return [f"List all {parts[0]}: readdo collect {_COLLECT_LISTS[parts[0]]}"]
    if parts[0] in ("tasks", "runs"):
        return [f"List all {parts[0]}: readdo {'task list --all' if parts[0] == 'tasks' else 'runs'}"]
    item = parts[1][-6:] if len(parts) > 1 else ""
    if parts[2:3] == ["todos"]:
        return [f"List the todos: readdo show {item} --only todos"]
    if parts[2:3] == ["artifacts"]:
        return [f"List the versions: readdo show {item} --versions"]
    if parts[2:3] == ["exports"] or parts[0] == "exports":
        return [f"List the exports: readdo show {item}"]
    return ["List all items: readdo list --all"]


def exit_code_of(status: int) -> int:
    return _EXIT.get(status, UNREACHABLE if status >= 500 or status < 400 or status == 429 else REFUSED)


def _steps(status: int, details: Any) -> Sequence[str]:
    details = details if isinstance(details, dict) else {}
    actions = details.get("available_actions")
    if isinstance(actions, list) and actions:
        commands = next_commands([a for a in actions if isinstance(a, dict)], {"status": details.get("status", "")})
        wide = max(len(command) for command, _ in commands)
        return ["What you can do now:", *(f"  {command:{wide}}  {why}" for command, why in commands)]
    if status >= 500:
        request = details.get("request_id")
        return [_SERVERS_FAULT, *([f"Request ID for the logs: {request}"] if request else [])]
    return [_NEXT[status]] if status in _NEXT else []
