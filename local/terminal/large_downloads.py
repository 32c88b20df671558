"""A large file, fetched bit by bit from where the API points to: whole and as it was promised, or not at all."""

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


def fetch(session: Session, path: str, told: Mapping[str, Any], to: Path) -> Path:
    """`told` says its `bytes` and `sha256`. A link lives minutes, so each try asks for another."""
    link = ""
    for number in range(1, TRIES + 1):
        link = urljoin(session.endpoint.url + "/", session.api.link(path))
        check(link, session.endpoint.url)
        try:
            status, sha256 = _into(link, int(told["bytes"]), to)
        except requests.RequestException:
            status, sha256 = 599, ""
        if status == 200 and sha256 == told["sha256"]:
            return to
        if status == 200:
            raise CommandFailure(
                "The file did not come whole: its checksum is not what it must be, so it was not kept.",
                "Try it again; it is fetched anew, not made anew.",
                code="CHECKSUM",
            )
        if status not in AGAIN and status != 599:
            break
        if number < TRIES:
            session.outside.sleep(0.4 * 2**number * (0.5 + session.outside.jitter()))
    raise unreachable(
        f"The file cannot be fetched from {urlsplit(link).netloc}.",
        "Try it again; it is there, and is not made anew.",
    )


def _into(link: str, size: int, to: Path) -> tuple[int, str]:
    whole, left = hashlib.sha256(), size + 1  # one byte more is enough to know that it is another file
    with (
        presigned_requests.session(link) as there,
        to.open("wb") as file,
        there.get(link, stream=True, allow_redirects=False, timeout=SECONDS) as answer,
    ):
        for part in answer.iter_content(_CHUNK):
            whole.update(part[:left])
            file.write(part[:left])
            left -= len(part)
            if left <= 0:
                break
        return answer.status_code, whole.hexdigest()
