"""Download a file of an export or a run and save it without overwriting another file.

The server of the file is not trusted: its file name is sanitized, its size and checksum are verified, and the API token
is not sent to it.
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


def save(session: Session, path: str, name: str, expected: Mapping[str, Any], folder: Path) -> tuple[Path, bool]:
    """Return the saved path, and whether the file is new. `expected` has its `bytes` and `sha256`."""
    body, disposition = _fetch(session, path, int(expected["bytes"]))
    if hashlib.sha256(body).hexdigest() != expected["sha256"]:
        raise CommandFailure(
            f"The download of {name} is damaged (wrong checksum) and was not saved.",
            "Run the same command again to download it again.",
            code="CHECKSUM",
        )
    folder.mkdir(parents=True, exist_ok=True)
    return file_names.put(folder, file_names.name_of(disposition, name), body)


def say(session: Session, path: Path, new: bool) -> None:
    """Print the saved path. In a pipe, print only the path, so that another program can read it."""
    if session.json:
        return
    if session.screen.live:
        session.screen.paragraph(str(path), first=("✓ ", "green") if new else ("= ", "dim"))
    else:
        session.screen.line(str(path))


def _fetch(session: Session, path: str, size: int) -> tuple[bytes, str]:
    """Download the file. Presigned links expire within minutes, so each try requests a new one."""
    for number in range(1, TRIES + 1):
        link = urljoin(session.endpoint.url + "/", session.api.link(path))
        check(link, session.endpoint.url)
        try:
            status, body, disposition = _get(link, size)
        except requests.RequestException:
            status, body, disposition = 599, b"", ""
        if status == 200:
            return body, disposition
        if status not in AGAIN and status != 599:
            break
        if number < TRIES:
            session.outside.sleep(0.4 * 2**number * (0.5 + session.outside.jitter()))
    raise unreachable(
        f"The file could not be downloaded from {urlsplit(link).netloc}"
        + (f" (status {status})." if status != 599 else ": the connection was lost."),
        "Run the same command again; the files are not created again.",
    )


def _get(link: str, size: int) -> tuple[int, bytes, str]:
    with (
        presigned_requests.session(link) as session,
        session.get(link, stream=True, allow_redirects=False, timeout=SECONDS) as response,
    ):
        body = b"".join(_bounded(response, min(size, MOST_BYTES)))
        return response.status_code, body, response.headers.get("Content-Disposition", "")


def _bounded(response: requests.Response, size: int) -> Iterator[bytes]:
    """Read at most one byte more than expected: enough to detect a wrong file."""
    remaining = size + 1
    for part in response.iter_content(65_536):
        yield part[:remaining]
        remaining -= len(part)
        if remaining <= 0:
            return


def check(link: str, server: str) -> None:
    parts, server_parts = urlsplit(link), urlsplit(server)
    if parts.scheme not in ("http", "https") or (server_parts.scheme == "https" and parts.scheme != "https"):
        raise CommandFailure(f"The file's link is not safe to open: {one_line(link)[:80]}")
