"""What can go wrong, each with the exit code that says so and the next step.

0 fine · 1 the thing itself failed · 2 not asked rightly · 3 not found · 4 refused as things are ·
5 no connection, or the server's fault · 6 not authorised · 130 interrupted
"""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal.text import cleaned
from terminal.words import next_commands

FAILED, USAGE, MISSING, REFUSED, UNREACHABLE, UNAUTHORISED, INTERRUPTED = 1, 2, 3, 4, 5, 6, 130
_EXIT = {400: USAGE, 401: UNAUTHORISED, 403: UNAUTHORISED, 404: MISSING, 413: USAGE}
_NEXT = {
    401: "The address and the token must belong together: check READDO_URL and READDO_TOKEN, or ask `readdo doctor`.",
    403: "Ask with a token that has that scope: READDO_TOKEN or --token. `readdo token list` shows which there are.",
    412: "It was changed meanwhile. Look at it again: readdo show ID",
    413: "Send less: only the part of the text that matters.",
    422: "Ask under another key, or leave the key out.",
    429: "Too much at once. Wait a little, then send it again.",
}
_SERVERS_FAULT = "Send it again in a while; if it stays so, `readdo doctor` says what is wrong."
# The API lists the actions in its sentence as well; here they are shown as commands.
_LISTED = " What can be done now:"


class CommandFailure(Exception):
    """Told on stderr: the message, then what to do next."""

    def __init__(
        self,
        message: str,
        *next_steps: str,
        exit_code: int = FAILED,
        code: str = "FAILED",
        status: int = 0,
        told: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.next_steps, self.exit_code, self.status = message, next_steps, exit_code, status
        self.error = dict(told or {"code": code, "message": message, "details": {}})
        if next_steps and told is None:
            self.error["next"] = list(next_steps)

    @property
    def details(self) -> dict[str, Any]:
        found = self.error.get("details")
        return found if isinstance(found, dict) else {}


def usage(message: str, *next_steps: str) -> CommandFailure:
    return CommandFailure(message, *next_steps, exit_code=USAGE, code="USAGE")


def missing(message: str, *next_steps: str) -> CommandFailure:
    return CommandFailure(message, *next_steps, exit_code=MISSING, code="NOT_FOUND")


def unreachable(message: str, *next_steps: str) -> CommandFailure:
    return CommandFailure(message, *next_steps, exit_code=UNREACHABLE, code="NO_CONNECTION")


def of_answer(status: int, body: Any, path: str = "") -> CommandFailure:
    """The API's own words, or the status if a stranger (a proxy, another server) answered to `path`."""
    told = body.get("error") if isinstance(body, dict) else None
    if not isinstance(told, dict):
        told = {"code": f"HTTP_{status}", "message": f"The server answered with status {status}.", "details": {}}
    shown = cleaned(told)
    message = str(shown.get("message") or f"The server answered with status {status}.").split(_LISTED)[0]
    steps = _where_to_look(path) if status == 404 else _steps(status, shown.get("details"))
    return CommandFailure(message, *steps, exit_code=exit_code_of(status), status=status, told=told)


def _where_to_look(path: str) -> Sequence[str]:
    """By what was looked for; an item's parts are with the item."""
    parts = path.partition("?")[0].split("/")[1:]
    if parts[0] == "tokens":
        return ["See which there are: readdo token list"]
    if parts[0] in ("tasks", "runs"):
        return [f"See which there are: readdo {'task list --all' if parts[0] == 'tasks' else 'runs'}"]
    item = parts[1][-6:] if len(parts) > 1 else ""
    if parts[2:3] == ["todos"]:
        return [f"See which there are: readdo show {item} --only todos"]
    if parts[2:3] == ["artifacts"]:
        return [f"See which there are: readdo show {item} --versions"]
    if parts[2:3] == ["exports"] or parts[0] == "exports":
        return [f"See which there are: readdo show {item}"]
    return ["See what is there: readdo list --all"]


def exit_code_of(status: int) -> int:
    return _EXIT.get(status, UNREACHABLE if status >= 500 or status < 400 or status == 429 else REFUSED)


def _steps(status: int, details: Any) -> Sequence[str]:
    details = details if isinstance(details, dict) else {}
    actions = details.get("available_actions")
    if isinstance(actions, list) and actions:
        commands = next_commands([a for a in actions if isinstance(a, dict)], {"status": details.get("status", "")})
        wide = max(len(command) for command, _ in commands)
        return ["What can be done now:", *(f"  {command:{wide}}  {why}" for command, why in commands)]
    if status >= 500:
        request = details.get("request_id")
        return [_SERVERS_FAULT, *([f"The request's id, for the log: {request}"] if request else [])]
    return [_NEXT[status]] if status in _NEXT else []
