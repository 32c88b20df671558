"""`readdo doctor` and `completion`: check the installation, and set up tab completion."""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from click.shell_completion import get_completion_class

from terminal import time_format
from terminal.api import ApiResponse, item
from terminal.command import verb
from terminal.endpoint import LOOPBACK, Endpoint
from terminal.failures import FAILED, UNAUTHORISED, CommandFailure
from terminal.session import Session, put_json
from terminal.words import short

OLDEST_PYTHON = (3, 11)
SKEW_SECONDS = 60
STUCK_SECONDS = 20 * 60  # a lease, plus the sweep that requeues the item after it expires
LOOKED_AT = 10
MANY = 100
NO_SCOPE = 403
_ANOTHER_TOKEN = {
    "--token": "Use a token of that address, or leave out --token.",
    "READDO_TOKEN": "Set a token of that address: export READDO_TOKEN=…\n"
    "To use Read→Do on this machine: unset READDO_URL READDO_TOKEN",
}
_RESTART = "Restart `make run`; it writes that file again."
_MARKS = {True: ("✓", "green"), False: ("✗", "bold red"), None: ("!", "yellow")}


@dataclass(frozen=True)
class Check:
    name: str
    ok: bool | None  # None: a warning
    message: str
    next: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value != ""}


@verb("doctor")
@click.pass_obj
def doctor(session: Session) -> int:
    """Check the installation and the connection, with a next step for each problem.

    The exit code is 1 if a check failed (✗); warnings (!) do not count.
    """
    results = []
    for check in _checks(session):
        results.append(check)
        if not session.json:
            _show(session, check)
    if session.json:
        put_json({"checks": [check.as_dict() for check in results]})
    return FAILED if any(check.ok is False for check in results) else 0


def _show(session: Session, check: Check) -> None:
    mark, colour = _MARKS[check.ok]
    session.screen.paragraph(check.message, first=(f"{mark} {check.name:9} ", colour))
    if check.next:
        session.screen.paragraph(check.next, "dim", first=" " * 12)


@verb("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Set up tab completion of commands, options and ids.

    \b
    bash 4.4 or newer, in ~/.bashrc:  eval "$(readdo completion bash)"
    zsh, in ~/.zshrc after compinit:  eval "$(readdo completion zsh)"
    """
    completion_class = get_completion_class(shell)
    if completion_class is None:
        raise click.UsageError(f"Tab completion does not support {shell}.")
    script = completion_class(ctx.find_root().command, {}, "readdo", "_READDO_COMPLETE")
    click.echo(script.source_template % script.source_vars())


def _checks(session: Session) -> Iterator[Check]:
    yield _python()
    yield _venv(session)
    yield from _text()
    try:
        endpoint = session.endpoint
    except CommandFailure as failure:
        yield Check("address", False, failure.message, _steps(failure))
        return
    yield _address(session)
    try:
        newest = session.connect(tries=1, seconds=10).get("/items", {"sort": "created_desc", "limit": 1})
    except CommandFailure as failure:
        yield _check_failure(failure, endpoint)
        return
    yield Check("server", True, "The server responds and the token is valid.")
    yield _clock(session, newest)
    yield from _items(session, newest)


def _python() -> Check:
    version = ".".join(str(part) for part in sys.version_info[:3])
    fine = sys.version_info >= OLDEST_PYTHON
    return Check("python", fine, f"Python {version}", "" if fine else "make clean, then: make run PYTHON=python3.13")


def _venv(session: Session) -> Check:
    venv = session.outside.root / ".venv"
    if Path(sys.prefix).resolve() == venv.resolve():
        return Check("packages", True, f"{venv}")
    return Check("packages", None, f"Running from {sys.prefix}, not from the project's .venv.", "Install it: make run")


def _text() -> Iterator[Check]:
    encoding = sys.stdout.encoding or "?"
    if encoding.lower().replace("-", "") != "utf8":
        words = f"This terminal uses {encoding}: Chinese is shown as question marks."
        yield Check("text", None, words, "Set LANG=C.UTF-8")


def _address(session: Session) -> Check:
    endpoint = session.endpoint
    parts = urlsplit(endpoint.url)
    where = f"{endpoint.url} (from {endpoint.source})"
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        return Check("address", None, f"{where} is not encrypted: others can read the token.", "Use https://")
    file = Path(endpoint.source)
    if os.name == "posix" and file.is_file() and file.stat().st_mode & 0o077:
        return Check("address", None, f"Other users can read {file}, which holds the token.", f"chmod 600 {file}")
    return Check("address", True, where)


def _check_failure(failure: CommandFailure, endpoint: Endpoint) -> Check:
    if failure.exit_code != UNAUTHORISED:
        return Check("server", False, failure.message, _steps(failure))
    message = f"{endpoint.url} does not accept the token from {endpoint.token_source}."
    if failure.status == NO_SCOPE:
        return Check("token", False, f"{message} {failure.message}", _steps(failure))
    return Check("token", False, message, _ANOTHER_TOKEN.get(endpoint.token_source, _RESTART))


def _steps(failure: CommandFailure) -> str:
    """Return the next steps, one per line, without the step that recommends `readdo doctor`."""
    return "\n".join(step for step in failure.next_steps if "readdo doctor" not in step)


def _clock(session: Session, response: ApiResponse) -> Check:
    server_time = _date(response)
    if server_time is None:
        return Check("clock", None, "The server does not report its time.")
    skew = abs((session.outside.now() - server_time).total_seconds())
    if skew <= SKEW_SECONDS:
        return Check("clock", True, "This machine's clock matches the server's.")
    words = f"This machine's clock is {time_format.lasted(skew)} off from the server's, so times shown here are wrong."
    return Check("clock", None, words, "Turn on network time on this machine.")


def _date(response: ApiResponse) -> datetime | None:
    try:
        return parsedate_to_datetime(response.headers.get("Date", ""))
    except ValueError:
        return None


def _items(session: Session, newest: ApiResponse) -> Iterator[Check]:
    if not newest.data.get("items"):
        yield Check("items", True, "No items yet.", 'readdo capture URL -i "why"')
        return
    yield _check_progress(session)
    yield _check_failures(session)
    yield from _engine(session)


def _rows(session: Session, *statuses: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = session.api.get("/items", {"status": statuses, "limit": MANY}).data.get("items", [])
    return rows


def _check_progress(session: Session) -> Check:
    rows = _rows(session, "QUEUED", "PROCESSING")
    stuck = [short(row["id"]) for row in rows[:LOOKED_AT] if _seconds_since_change(session, row["id"]) > STUCK_SECONDS]
    if stuck:
        words = f"{len(stuck)} stuck for {time_format.lasted(STUCK_SECONDS)}: {', '.join(stuck)}."
        return Check("progress", False, words, "Read→Do retries them within minutes; if not, see functions.log.")
    words = f"{_count(len(rows))} in progress, none stuck." if rows else "Nothing is in progress."
    return Check("progress", True, words)


def _seconds_since_change(session: Session, item_id: str) -> float:
    response = session.api.get(item(item_id))
    at = time_format.read(response.data["item"].get("updated_at"))
    now = _date(response) or session.outside.now()
    return (now - at).total_seconds() if at else 0.0


def _check_failures(session: Session) -> Check:
    rows = _rows(session, "FAILED_*")
    if not rows:
        return Check("failures", True, "Nothing has failed.")
    waiting = sum(1 for row in rows if (row.get("failure") or {}).get("next_retry_at"))
    retries = f", {waiting} of them will be retried automatically" if waiting else ""
    return Check("failures", None, f"{_count(len(rows))} failed{retries}.", "readdo list --status 'failed_*'")


def _count(number: int) -> str:
    return f"{number} or more items" if number >= MANY else f"{number} item{'s' if number != 1 else ''}"


def _engine(session: Session) -> Iterator[Check]:
    """Report the engine of the newest summary, which shows whether a model is in use."""
    rows = session.api.get("/items", {"status": ["READY", "SHIPPED"], "sort": "created_desc", "limit": 1}).data["items"]
    if rows:
        summary = session.api.get(item(rows[0]["id"])).data.get("artifacts", {}).get("summary") or {}
        meta = summary.get("meta") or {}
        model = meta.get("model_id")
        engine = f"{meta.get('engine_version', 'unknown')}, {f'model {model}' if model else 'without a model'}"
        yield Check("engine", True, f"The newest summary was written by {engine}.")
