"""Download from and upload to presigned links.

The server of a file is not trusted: the size and the checksum of a download are verified, and neither the API token nor
credentials from ~/.netrc are sent to it.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urljoin, urlsplit

from terminal.endpoint import LOOPBACK
from terminal.failures import AGAIN, TRIES, CommandFailure, unreachable
from terminal.session import Session
from terminal.text import one_line

if TYPE_CHECKING:
    import requests

DOWNLOAD_SECONDS, UPLOAD_SECONDS = (5, 60), (5, 600)
_LOST = 0  # instead of a status: there was no response
_CHUNK = 1_048_576


def fetch(session: Session, path: str, what: str, expected: Mapping[str, Any], to: BinaryIO) -> str:
    """Download a file of the API and return its Content-Disposition. `expected` has `bytes` and `sha256`.

    Presigned links expire within minutes, so each try requests a new one.
    """
    import requests  # noqa: PLC0415 - not for --help

    status, link = _LOST, ""
    for _ in _tries(session):
        link = _checked(session, session.api.link(path))
        try:
            with (
                _http(link) as http,
                http.get(link, stream=True, allow_redirects=False, timeout=DOWNLOAD_SECONDS) as response,
            ):
                status, sha256 = response.status_code, _copy(response, int(expected["bytes"]), to)
        except requests.RequestException:
            status = _LOST
        if status == 200 and sha256 == expected["sha256"]:
            return str(response.headers.get("Content-Disposition", ""))
        if status == 200:
            raise CommandFailure(
                f"The {what} is damaged (wrong checksum) and was not saved.",
                "Run the same command again to download it again.",
                code="CHECKSUM",
            )
        if status not in (_LOST, *AGAIN):
            break
    raise unreachable(
        f"The file could not be downloaded from {urlsplit(link).netloc}"
        + (f" (status {status})." if status else ": the connection was lost."),
        "Run the same command again; the files are not created again.",
    )


def _copy(response: "requests.Response", size: int, to: BinaryIO) -> str:
    """Copy at most one byte more than expected, to detect a wrong file, and return the SHA-256."""
    to.seek(0)
    to.truncate()
    digest, remaining = hashlib.sha256(), size + 1
    for part in response.iter_content(_CHUNK):
        digest.update(part[:remaining])
        to.write(part[:remaining])
        remaining -= len(part)
        if remaining <= 0:
            break
    return digest.hexdigest()


def upload(session: Session, offer: Mapping[str, Any], body: BinaryIO, *next_steps: str) -> None:
    """Upload to the presigned link of the offer, with its headers."""
    import requests  # noqa: PLC0415 - not for --help

    link, status = _checked(session, str(offer["url"])), _LOST
    headers = {name: value for name, value in offer["headers"].items() if name.lower() != "content-length"}
    for _ in _tries(session):
        body.seek(0)
        try:
            with _http(link) as http:
                status = http.put(
                    link, data=body, headers=headers, allow_redirects=False, timeout=UPLOAD_SECONDS
                ).status_code
        except requests.RequestException:
            status = _LOST
        if status not in (_LOST, *AGAIN):
            break
    if not 200 <= status < 300:
        detail = f" (status {status})." if status else "."
        raise unreachable(f"The file could not be uploaded to {urlsplit(link).netloc}{detail}", *next_steps)


def _tries(session: Session) -> Iterator[int]:
    """Return the numbers of the tries, with a pause between two of them."""
    for number in range(1, TRIES + 1):
        yield number
        if number < TRIES:
            session.outside.sleep(0.4 * 2**number * (0.5 + session.outside.jitter()))


def _checked(session: Session, link: str) -> str:
    """Return the link as a complete address, or fail if it is less safe than the server's."""
    link = urljoin(session.endpoint.url + "/", link)
    scheme, server_scheme = urlsplit(link).scheme, urlsplit(session.endpoint.url).scheme
    if scheme not in ("http", "https") or (server_scheme == "https" and scheme != "https"):
        raise CommandFailure(f"The file's link is not safe to open: {one_line(link)[:80]}")
    return link


def _http(link: str) -> "requests.Session":
    import requests  # noqa: PLC0415 - not for --help

    http = requests.Session()
    http.auth = lambda request: request
    http.trust_env = urlsplit(link).hostname not in LOOPBACK
    return http
