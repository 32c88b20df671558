"""Upload a file to a presigned link, without the API token."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from terminal import presigned_requests
from terminal.downloads import check
from terminal.failures import unreachable
from terminal.session import Session
from terminal.transport import TRIES

SECONDS = (5, 300)


def send(session: Session, upload: Mapping[str, Any], body: bytes, *next_steps: str) -> None:
    link = urljoin(session.endpoint.url + "/", str(upload["url"]))
    check(link, session.endpoint.url)
    status = 0
    for number in range(1, TRIES + 1):
        status = _put(link, dict(upload["headers"]), body)
        if status and status < 500:
            break
        if number < TRIES:
            session.outside.sleep(0.4 * 2**number * (0.5 + session.outside.jitter()))
    if not 200 <= status < 300:
        detail = f" (status {status})." if status else "."
        raise unreachable(f"The file could not be uploaded to {urlsplit(link).netloc}{detail}", *next_steps)


def _put(link: str, headers: dict[str, str], body: bytes) -> int:
    """Return the status, or 0 if there was no response."""
    try:
        with presigned_requests.session(link) as http:
            return http.put(link, data=body, headers=headers, allow_redirects=False, timeout=SECONDS).status_code
    except requests.RequestException:
        return 0
