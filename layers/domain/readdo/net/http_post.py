"""Sending a body to an address that a user named: by the safe door, no redirect followed, little of the answer read."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass

import urllib3
from urllib3.util import Timeout, parse_url

from readdo.net import address, safe_connection, target

SECONDS = 10.0
SAID_MAX = 300
_READ_MAX = 4 * SAID_MAX


@dataclass(frozen=True)
class PostResult:
    """`status` is 0 where there was no answer; `words` say so to a person; `said` is the beginning of its body."""

    status: int
    words: str
    said: str = ""
    final: bool = False  # it is no use to ask again

    @property
    def took_it(self) -> bool:
        return 200 <= self.status < 300


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> PostResult:
    loopback = target.loopback_allowed()
    if wrong := target.problem(url, loopback=loopback):
        return PostResult(0, f"The address {wrong}, so nothing was sent.", final=True)
    host = str(parse_url(url).host)[:100]
    with safe_connection.Watch(seconds, loopback=loopback) as watch:
        try:
            return _sent(watch, url, body, headers, host)
        except safe_connection.Blocked as blocked:
            return PostResult(0, f"{blocked}, so nothing was sent.", final=True)
        except address.Unresolved:
            return PostResult(0, f"There is no receiver called {host}, or no network to look it up in.")
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            return PostResult(0, _trouble(error, host, seconds, over=watch.over))


def _sent(watch: safe_connection.Watch, url: str, body: bytes, headers: Mapping[str, str], host: str) -> PostResult:
    pool = urllib3.PoolManager(num_pools=1, maxsize=1)
    pool.pool_classes_by_scheme = safe_connection.pools(watch)
    answer = pool.urlopen(
        "POST",
        url,
        body=body,
        headers={**headers, "Connection": "close", "Accept-Encoding": "identity"},
        redirect=False,
        retries=False,
        preload_content=False,
        timeout=Timeout(connect=safe_connection.CONNECT_SECONDS, read=max(0.01, watch.left)),
    )
    said = _beginning(watch, answer)
    onward = " It sends on to another address, which is not followed." if 300 <= answer.status < 400 else ""
    return PostResult(answer.status, f"{host} answered {answer.status}.{onward}", said)


def _beginning(watch: safe_connection.Watch, answer: urllib3.BaseHTTPResponse) -> str:
    """Whatever becomes of the rest: the status is the answer."""
    read = b""
    try:
        while len(read) < _READ_MAX and not watch.over:
            piece = answer.read1(_READ_MAX - len(read), decode_content=False)
            if not piece:
                break
            read += piece
    except (urllib3.exceptions.HTTPError, OSError, ValueError):
        pass
    text = read.decode("utf-8", "replace")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:SAID_MAX]


def _trouble(error: BaseException, host: str, seconds: float, *, over: bool) -> str:
    chain: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and found not in chain:
        chain.append(found)
        found = found.__cause__ or found.__context__
    if over or any(isinstance(e, TimeoutError | urllib3.exceptions.TimeoutError) for e in chain):
        return f"{host} did not answer within {seconds:g} seconds."
    if any(isinstance(e, ssl.SSLCertVerificationError) for e in chain):
        return f"The connection to {host} is not secure: its certificate is not right. Nothing was sent."
    return f"The connection to {host} failed ({type(chain[-1]).__name__})."
