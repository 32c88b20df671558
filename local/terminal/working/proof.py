"""The log as evidence: announced to the API, then sent straight to where it is kept, without our token."""

import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from terminal.failures import Failure, unreachable
from terminal.session import Session
from terminal.transport import AGAIN, TRIES
from terminal.where import LOOPBACK

SECONDS = (5, 60)


def about(body: bytes) -> dict[str, Any]:
    return {
        "type": "log",
        "name": "output.log",
        "bytes": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
        "content_type": "text/plain; charset=utf-8",
    }


def send(session: Session, told: Mapping[str, Any], body: bytes) -> None:
    link = urljoin(session.endpoint.url + "/", str(told["url"]))
    _check(link, session.endpoint.url)
    for number in range(1, TRIES + 1):
        status = _put(link, told["headers"], body)
        if status < 300:
            return
        if status not in AGAIN and status != 599:
            break
        if number < TRIES:
            session.outside.sleep(0.4 * 2**number * (0.5 + session.outside.jitter()))
    raise unreachable(f"{urlsplit(link).netloc} does not take it" + (f" (status {status})." if status != 599 else "."))


def _put(link: str, headers: Mapping[str, str], body: bytes) -> int:
    with requests.Session() as stranger:  # without our token, and without what ~/.netrc may hold
        stranger.auth = lambda request: request
        stranger.trust_env = urlsplit(link).hostname not in LOOPBACK
        try:
            return stranger.put(link, data=body, headers=headers, allow_redirects=False, timeout=SECONDS).status_code
        except requests.RequestException:
            return 599


def _check(link: str, home: str) -> None:
    parts, ours = urlsplit(link), urlsplit(home)
    if parts.scheme not in ("http", "https") or (ours.scheme == "https" and parts.scheme != "https"):
        raise Failure("The place it is to be sent to is no safe one.")
