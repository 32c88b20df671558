"""What must be right for all this to work, each with what to do if it is not. What cannot be asked is left out."""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from terminal import moments
from terminal.api import ApiResponse, item
from terminal.endpoint import LOOPBACK, Endpoint
from terminal.failures import UNAUTHORISED, CommandFailure
from terminal.session import Session
from terminal.words import short

OLDEST_PYTHON = (3, 11)
SKEW_SECONDS = 60
STUCK_SECONDS = 20 * 60  # a lease, and the sweep that frees what it held
LOOKED_AT = 10
MANY = 100
NO_SCOPE = 403
_ANOTHER_TOKEN = {
    "--token": "Give one that belongs to that address, or leave --token out.",
    "READDO_TOKEN": "Set one that belongs to that address: export READDO_TOKEN=…\n"
    "Or, for the one that runs here, neither: unset READDO_URL READDO_TOKEN",
}
_STARTED_ANEW = "Stop `make run` and start it again; it writes that file anew."


@dataclass(frozen=True)
class Check:
    name: str
    ok: bool | None  # None: it works, but look at it
    message: str
    next: str = ""

    def told(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value != ""}


def all_of(session: Session) -> Iterator[Check]:
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
        yield _no_answer(failure, endpoint)
        return
    yield Check("server", True, "It answers, and the token is good.")
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
    return Check("packages", None, f"It runs with {sys.prefix}, not with the project's .venv.", "make run installs it.")


def _text() -> Iterator[Check]:
    encoding = sys.stdout.encoding or "?"
    if encoding.lower().replace("-", "") != "utf8":
        yield Check("text", None, f"This terminal writes {encoding}: Chinese will be question marks.", "LANG=C.UTF-8")


def _address(session: Session) -> Check:
    endpoint = session.endpoint
    parts = urlsplit(endpoint.url)
    said = f"{endpoint.url} (from {endpoint.source})"
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        return Check("address", None, f"{said} is not encrypted: the token can be read on its way.", "Use https://")
    file = Path(endpoint.source)
    if os.name == "posix" and file.is_file() and file.stat().st_mode & 0o077:
        return Check("address", None, f"{file} can be read by others, and holds the token.", f"chmod 600 {file}")
    return Check("address", True, said)


def _no_answer(failure: CommandFailure, endpoint: Endpoint) -> Check:
    if failure.exit_code != UNAUTHORISED:
        return Check("server", False, failure.message, _steps(failure))
    message = f"{endpoint.url} answers, but does not take the token from {endpoint.token_source}."
    if failure.status == NO_SCOPE:
        return Check("token", False, f"{message} {failure.message}", _steps(failure))
    return Check("token", False, message, _ANOTHER_TOKEN.get(endpoint.token_source, _STARTED_ANEW))


def _steps(failure: CommandFailure) -> str:
    """Each on its line; this is the doctor already."""
    return "\n".join(step for step in failure.next_steps if "readdo doctor" not in step)


def _clock(session: Session, answer: ApiResponse) -> Check:
    there = _date(answer)
    if there is None:
        return Check("clock", None, "The server does not tell its time.")
    apart = abs((session.outside.now() - there).total_seconds())
    if apart <= SKEW_SECONDS:
        return Check("clock", True, "It agrees with the server's.")
    words = f"It is {moments.lasted(apart)} apart from the server's: times shown here are off."
    return Check("clock", None, words, "Set this machine's time by the network.")


def _date(answer: ApiResponse) -> datetime | None:
    try:
        return parsedate_to_datetime(answer.headers.get("Date", ""))
    except ValueError:
        return None


def _items(session: Session, newest: ApiResponse) -> Iterator[Check]:
    if not newest.data.get("items"):
        yield Check("items", True, "There are none yet.", 'readdo capture URL -i "why"')
        return
    yield _moving(session)
    yield _failing(session)
    yield from _engine(session)


def _rows(session: Session, *statuses: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = session.api.get("/items", {"status": statuses, "limit": MANY}).data.get("items", [])
    return found


def _moving(session: Session) -> Check:
    rows = _rows(session, "QUEUED", "PROCESSING")
    stuck = [short(row["id"]) for row in rows[:LOOKED_AT] if _unmoved(session, row["id"]) > STUCK_SECONDS]
    if stuck:
        words = f"{len(stuck)} have not moved for {moments.lasted(STUCK_SECONDS)}: {', '.join(stuck)}."
        return Check("progress", False, words, "The heartbeat frees them within minutes; if not, see functions.log.")
    words = f"{_count(len(rows))} in progress, none stuck." if rows else "Nothing is in progress."
    return Check("progress", True, words)


def _unmoved(session: Session, item_id: str) -> float:
    answer = session.api.get(item(item_id))
    at = moments.read(answer.data["item"].get("updated_at"))
    now = _date(answer) or session.outside.now()
    return (now - at).total_seconds() if at else 0.0


def _failing(session: Session) -> Check:
    rows = _rows(session, "FAILED_*")
    if not rows:
        return Check("failures", True, "Nothing has failed.")
    waiting = sum(1 for row in rows if (row.get("failure") or {}).get("next_retry_at"))
    itself = f", {waiting} of them tried again by itself" if waiting else ""
    return Check("failures", None, f"{_count(len(rows))} failed{itself}.", "readdo list --status 'failed_*'")


def _count(number: int) -> str:
    return f"{number} or more items" if number >= MANY else f"{number} item{'s' if number != 1 else ''}"


def _engine(session: Session) -> Iterator[Check]:
    """By which engine the newest summary was written: whether a model is in use is told by what it made."""
    rows = session.api.get("/items", {"status": ["READY", "SHIPPED"], "sort": "created_desc", "limit": 1}).data["items"]
    if rows:
        made = session.api.get(item(rows[0]["id"])).data.get("artifacts", {}).get("summary") or {}
        meta = made.get("meta") or {}
        model = meta.get("model_id")
        said = f"{meta.get('engine_version', 'unknown')}, {f'model {model}' if model else 'without a model'}"
        yield Check("engine", True, f"The newest summary is by {said}.")
