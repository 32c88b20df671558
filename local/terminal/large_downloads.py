"""Download a large file in chunks and verify its size and checksum."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from terminal import presigned_requests
from terminal.downloads import SECONDS, check
from terminal.failures import CommandFailure, unreachable
from terminal.session import Session
from terminal.transport import AGAIN, TRIES

_CHUNK = 1_048_576


def fetch(session: Session, path: str, expected: Mapping[str, Any], to: Path) -> Path:
    """Download to `to`. `expected` has `bytes` and `sha256`.

    Presigned links expire within minutes, so each try requests a new one.
    """
    link = ""
    for number in range(1, TRIES + 1):
        link = urljoin(session.endpoint.url + "/", session.api.link(path))
        check(link, session.endpoint.url)
        try:
            status, sha256 = _into(link, int(expected["bytes"]), to)
        except requests.RequestException:
            status, sha256 = 599, ""
        if status == 200 and sha256 == expected["sha256"]:
            return to
        if status == 200:
            raise CommandFailure(
                "The downloaded file is damaged (wrong checksum) and was not saved.",
                "Run the same command again to download it again.",
                code="CHECKSUM",
            )
        if status not in AGAIN and status != 599:
            break
        if number < TRIES:
            session.outside.sleep(0.4 * 2**number * (0.5 + session.outside.jitter()))
    raise unreachable(
        f"The file could not be downloaded from {urlsplit(link).netloc}.",
        "Run the same command again; the file is not created again.",
    )


def _into(link: str, size: int, to: Path) -> tuple[int, str]:
    digest, remaining = hashlib.sha256(), size + 1  # one extra byte is enough to detect a wrong file
    with (
        presigned_requests.session(link) as session,
        to.open("wb") as file,
        session.get(link, stream=True, allow_redirects=False, timeout=SECONDS) as response,
    ):
        for part in response.iter_content(_CHUNK):
            digest.update(part[:remaining])
            file.write(part[:remaining])
            remaining -= len(part)
            if remaining <= 0:
                break
        return response.status_code, digest.hexdigest()
