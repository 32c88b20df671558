"""A file of an export or of a run, fetched from where the API points to, and saved so that nothing is lost by it.

Whoever names the file is not trusted: neither with a path, nor with its bytes, nor with our token.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from terminal import file_names, presigned_requests
from terminal.failures import CommandFailure, unreachable
from terminal.session import Session
from terminal.text import one_line
from terminal.transport import AGAIN, TRIES

MOST_BYTES = 100_000_000
SECONDS = (5, 60)


def save(session: Session, place: str, name: str, told: Mapping[str, Any], folder: Path) -> tuple[Path, bool]:
    """Where it lies now, and whether it was not there before. `told` says its `bytes` and `sha256`."""
    body, said = _fetch(session, place, int(told["bytes"]))
    if hashlib.sha256(body).hexdigest() != told["sha256"]:
        raise CommandFailure(
            f"{name} did not come whole: its checksum is not what it must be, so it was not saved.",
            "Try it again; the files are fetched anew, not made anew.",
            code="CHECKSUM",
        )
    folder.mkdir(parents=True, exist_ok=True)
    return file_names.put(folder, file_names.name_of(said, name), body)


def say(session: Session, path: Path, new: bool) -> None:
    """The path alone in a pipe, where it is somebody's input."""
    if session.json:
        return
    if session.screen.live:
        session.screen.paragraph(str(path), first=("✓ ", "green") if new else ("= ", "dim"))
    else:
        session.screen.line(str(path))


def _fetch(session: Session, path: str, size: int) -> tuple[bytes, str]:
    """A link lives minutes, so each try asks for another."""
    for number in range(1, TRIES + 1):
        link = urljoin(session.endpoint.url + "/", session.api.link(path))
        check(link, session.endpoint.url)
        try:
            status, body, said = _get(link, size)
        except requests.RequestException:
            status, body, said = 599, b"", ""
        if status == 200:
            return body, said
        if status not in AGAIN and status != 599:
            break
        if number < TRIES:
            session.outside.sleep(0.4 * 2**number * (0.5 + session.outside.jitter()))
    raise unreachable(
        f"The file cannot be fetched from {urlsplit(link).netloc}"
        + (f" (status {status})." if status != 599 else ": the connection broke."),
        "Try it again; the files are there, and are not made anew.",
    )


def _get(link: str, size: int) -> tuple[int, bytes, str]:
    with (
        presigned_requests.session(link) as there,
        there.get(link, stream=True, allow_redirects=False, timeout=SECONDS) as answer,
    ):
        body = b"".join(_bounded(answer, min(size, MOST_BYTES)))
        return answer.status_code, body, answer.headers.get("Content-Disposition", "")


def _bounded(answer: requests.Response, size: int) -> Iterator[bytes]:
    """One byte more than it should have is enough to know that it is another file."""
    left = size + 1
    for part in answer.iter_content(65_536):
        yield part[:left]
        left -= len(part)
        if left <= 0:
            return


def check(link: str, home: str) -> None:
    parts, ours = urlsplit(link), urlsplit(home)
    if parts.scheme not in ("http", "https") or (ours.scheme == "https" and parts.scheme != "https"):
        raise CommandFailure(
            f"The file is said to be at {one_line(link)[:80]}, which is no safe place to fetch it from."
        )
