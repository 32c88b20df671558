"""Upload import files and follow the imports until they end."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.live import Live
from rich.text import Text

from terminal import uploads
from terminal.api import ApiResponse, at
from terminal.failures import FAILED, CommandFailure
from terminal.polling_backoff import Pause
from terminal.session import Session, put_json

Import = Mapping[str, Any]
ENDED = ("DONE", "FAILED", "CANCELLED", "PAUSED")
BAD_SHOWN = 20
_BAR = 20
_NAMES = (("captured", "captured"), ("joined", "joined"), ("duplicate", "duplicate lines"), ("bad", "invalid"))


def upload_files(session: Session, paths: Sequence[Path], options: Mapping[str, Any], *, wait: bool) -> int:
    """Upload all files before waiting for any, so that Ctrl-C during the first import loses none."""
    responses = [_start(session, path, options) for path in paths]
    try:
        ended = [_wait(session, answer) for answer in responses] if wait else responses
    except KeyboardInterrupt:
        session.note("The import continues on the server. Check its progress: readdo imports")
        raise
    if session.json:
        put_json({"imports": [answer.raw["import"] for answer in ended]})
    imports = [answer.data["import"] for answer in ended]
    for one in [] if session.json else imports:
        session.screen.line(describe(one) if wait else str(one["id"]))
        if one["counts"]["bad"]:
            _show_bad(session, one)
    return _raise_failure(imports)


def _raise_failure(imports: Sequence[Import]) -> int:
    for one in imports:
        if one["status"] == "FAILED":
            failure = one.get("failure") or {}
            message = f"{one['filename']}: {failure.get('message')}"
            raise CommandFailure(message, exit_code=FAILED, code=str(failure.get("error_code")))
    return 0


def _start(session: Session, path: Path, options: Mapping[str, Any]) -> ApiResponse:
    body = path.read_bytes()
    if not body:
        raise CommandFailure(f"{path} is empty.", "Export it again from the other app.", code="EMPTY")
    request = {"filename": path.name[-200:], "size": len(body), "sha256": hashlib.sha256(body).hexdigest(), **options}
    response = session.api.post("/import", request)
    uploads.send(session, response.raw["upload"], body, "Try again; nothing was imported.")
    return session.api.post(at("imports", str(response.raw["import"]["id"]), "start"))


def _wait(session: Session, response: ApiResponse) -> ApiResponse:
    pause = Pause(session.outside.sleep)
    with _progress(session) as show:
        while response.data["import"]["status"] not in ENDED:
            show(response.data["import"])
            pause()
            newer = session.api.get(at("imports", str(response.data["import"]["id"])))
            if newer.data["import"]["counts"] != response.data["import"]["counts"]:
                pause.reset()
            response = newer
    return response


@contextmanager
def _progress(session: Session) -> Iterator[Any]:
    """Show progress: on a terminal a live line, in a pipe one line on stderr per 10 %."""
    screen = session.notes
    if screen.live and not screen.console.is_dumb_terminal and not session.quiet and not session.json:
        with Live(console=screen.console, transient=True, refresh_per_second=4) as live:
            yield lambda one: live.update(bar(one), refresh=True)
        return
    printed: list[str] = []

    def show(one: Import) -> None:
        counts = one["counts"]
        tenth = 10 * (counts["lines"] - counts["left"]) // max(counts["lines"], 1)
        message = f"{one['filename']}: {tenth}0 %" if counts["lines"] else f"{one['filename']}: reading the file"
        if message not in printed:
            printed.append(message)
            session.note(message)

    yield show


def bar(one: Import) -> Text:
    counts = one["counts"]
    done = counts["lines"] - counts["left"]
    full = done * _BAR // max(counts["lines"], 1)
    line = Text("  ").append("━" * full, "green").append("━" * (_BAR - full), "dim")
    line.append(f" {done}/{counts['lines']}  ")
    return line.append(f"{one['filename']} · {one['in_flight']} in progress", "dim")


def describe(one: Import) -> str:
    counts = one["counts"]
    parts = [f"{counts[name]} {words}" for name, words in _NAMES if counts[name]]
    if counts["archived"]:
        parts.insert(1, f"{counts['archived']} of them archived")
    if counts["left"]:
        parts.append(f"{counts['left']} left")
    return f"{one['filename']}: {one['status'].lower()}; {', '.join(parts) or 'nothing yet'}"


def _show_bad(session: Session, one: Import) -> None:
    response = session.api.get(at("imports", str(one["id"]), "lines"), {"result": "bad", "limit": str(BAD_SHOWN)})
    for line in response.data["lines"]:
        session.note(f"  {line.get('place', '')}: {line.get('words', '')} {line.get('url', '')}".rstrip())
