"""POST to a user's address over a safe connection, without redirects."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass

import urllib3
from urllib3.util import Timeout, parse_url

from readdo.net import address, safe_connection, target

SECONDS = 10.0
BODY_START_MAX = 300
_READ_MAX = 4 * BODY_START_MAX


@dataclass(frozen=True)
class PostResult:
    """`status` is 0 without a response; `words` is the text for the user."""

    status: int
    words: str
    body_start: str = ""
    final: bool = False  # a retry cannot succeed

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> PostResult:
    loopback = target.loopback_allowed()
    if problem := target.find_problem(url, loopback=loopback):
        return PostResult(0, f"The address {problem}, so nothing was sent.", final=True)
    host = str(parse_url(url).host)[:100]
    with safe_connection.Watch(seconds, loopback=loopback) as watch:
        try:
            return _send(watch, url, body, headers, host)
        except safe_connection.Blocked as blocked:
            return PostResult(0, f"{blocked}, so nothing was sent.", final=True)
        except address.Unresolved:
            return PostResult(0, f"There is no receiver called {host}, or no network to look it up in.")
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            return PostResult(0, _error_text(error, host, seconds, over=watch.over))


def _send(watch: safe_connection.Watch, url: str, body: bytes, headers: Mapping[str, str], host: str) -> PostResult:
    pool = urllib3.PoolManager(num_pools=1, maxsize=1)
    pool.pool_classes_by_scheme = safe_connection.pools(watch)
    response = pool.urlopen(
        "POST",
        url,
        body=body,
        headers={**headers, "Connection": "close", "Accept-Encoding": "identity"},
        redirect=False,
        retries=False,
        preload_content=False,
        timeout=Timeout(connect=safe_connection.CONNECT_SECONDS, read=max(0.01, watch.left)),
    )
    text = _read_start(watch, response)
    redirect = " It sends on to another address, which is not followed." if 300 <= response.status < 400 else ""
    return PostResult(response.status, f"{host} answered {response.status}.{redirect}", text)


def _read_start(watch: safe_connection.Watch, response: urllib3.BaseHTTPResponse) -> str:
    """The start of the response body. A failure while reading does not change the result."""
    body = b""
    try:
        while len(body) < _READ_MAX and not watch.over:
            chunk = response.read1(_READ_MAX - len(body), decode_content=False)
            if not chunk:
                break
            body += chunk
    except (urllib3.exceptions.HTTPError, OSError, ValueError):
        pass
    text = body.decode("utf-8", "replace")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:BODY_START_MAX]


def _error_text(error: BaseException, host: str, seconds: float, *, over: bool) -> str:
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    if over or any(isinstance(e, TimeoutError | urllib3.exceptions.TimeoutError) for e in chain):
        return f"{host} did not answer within {seconds:g} seconds."
    if any(isinstance(e, ssl.SSLCertVerificationError) for e in chain):
        return f"The connection to {host} is not secure: its certificate is not right. Nothing was sent."
    return f"The connection to {host} failed ({type(chain[-1]).__name__})."
