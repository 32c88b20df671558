"""Files of what was saved elsewhere, from this machine to their last line."""

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
from terminal.pause import Pause
from terminal.session import Session, put_json

Import = Mapping[str, Any]
ENDED = ("DONE", "FAILED", "CANCELLED", "PAUSED")
BAD_SHOWN = 20
_BAR = 20
_NAMES = (("captured", "captured"), ("joined", "joined"), ("duplicate", "twice in the file"), ("bad", "bad"))


def upload_files(session: Session, paths: Sequence[Path], wish: Mapping[str, Any], *, wait: bool) -> int:
    """All are sent first, so that nothing is missing if somebody leaves while the first is brought in."""
    begun = [_begun(session, path, wish) for path in paths]
    try:
        ended = [_watched(session, answer) for answer in begun] if wait else begun
    except KeyboardInterrupt:
        session.note("It goes on by itself. How it stands: readdo imports")
        raise
    if session.json:
        put_json({"imports": [answer.raw["import"] for answer in ended]})
    found = [answer.data["import"] for answer in ended]
    for one in [] if session.json else found:
        session.screen.line(describe(one) if wait else str(one["id"]))
        if one["counts"]["bad"]:
            _show_bad(session, one)
    return _ends_well(found)


def _ends_well(found: Sequence[Import]) -> int:
    for one in found:
        if one["status"] == "FAILED":
            failure = one.get("failure") or {}
            words = f"{one['filename']}: {failure.get('message')}"
            raise CommandFailure(words, exit_code=FAILED, code=str(failure.get("error_code")))
    return 0


def _begun(session: Session, path: Path, wish: Mapping[str, Any]) -> ApiResponse:
    body = path.read_bytes()
    if not body:
        raise CommandFailure(f"{path} is empty, so there is nothing to bring in.", "Export it anew.", code="EMPTY")
    asked = {"filename": path.name[-200:], "size": len(body), "sha256": hashlib.sha256(body).hexdigest(), **wish}
    answer = session.api.post("/import", asked)
    uploads.send(session, answer.raw["upload"], body, "Try it again; nothing was brought in.")
    return session.api.post(at("imports", str(answer.raw["import"]["id"]), "start"))


def _watched(session: Session, answer: ApiResponse) -> ApiResponse:
    pause = Pause(session.outside.sleep)
    with _shown(session) as show:
        while answer.data["import"]["status"] not in ENDED:
            show(answer.data["import"])
            pause()
            later = session.api.get(at("imports", str(answer.data["import"]["id"])))
            if later.data["import"]["counts"] != answer.data["import"]["counts"]:
                pause.begin_anew()
            answer = later
    return answer


@contextmanager
def _shown(session: Session) -> Iterator[Any]:
    """On a terminal one line that lives, in a pipe a line for each tenth on stderr."""
    screen = session.notes
    if screen.live and not screen.console.is_dumb_terminal and not session.quiet and not session.json:
        with Live(console=screen.console, transient=True, refresh_per_second=4) as live:
            yield lambda one: live.update(bar(one), refresh=True)
        return
    told: list[str] = []

    def show(one: Import) -> None:
        counts = one["counts"]
        tenth = 10 * (counts["lines"] - counts["left"]) // max(counts["lines"], 1)
        words = f"{one['filename']}: {tenth}0 %" if counts["lines"] else f"{one['filename']}: being read"
        if words not in told:
            told.append(words)
            session.note(words)

    yield show


def bar(one: Import) -> Text:
    counts = one["counts"]
    done = counts["lines"] - counts["left"]
    full = done * _BAR // max(counts["lines"], 1)
    line = Text("  ").append("━" * full, "green").append("━" * (_BAR - full), "dim")
    line.append(f" {done}/{counts['lines']}  ")
    return line.append(f"{one['filename']} · {one['in_flight']} being read", "dim")


def describe(one: Import) -> str:
    counts = one["counts"]
    parts = [f"{counts[name]} {words}" for name, words in _NAMES if counts[name]]
    if counts["archived"]:
        parts.insert(1, f"{counts['archived']} of them archived")
    if counts["left"]:
        parts.append(f"{counts['left']} left")
    return f"{one['filename']}: {one['status'].lower()}; {', '.join(parts) or 'nothing yet'}"


def _show_bad(session: Session, one: Import) -> None:
    found = session.api.get(at("imports", str(one["id"]), "lines"), {"result": "bad", "limit": str(BAD_SHOWN)})
    for line in found.data["lines"]:
        session.note(f"  {line.get('place', '')}: {line.get('words', '')} {line.get('url', '')}".rstrip())
