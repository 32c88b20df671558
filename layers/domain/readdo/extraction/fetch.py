"""Fetch a page by its link, within limits of size, time and content type."""

import os
import re
import ssl
import zlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.poolmanager import PoolManager
from urllib3.util import parse_url

from readdo.errors import StepFailed
from readdo.extraction.decompression import UnknownCoding, Unpacker
from readdo.extraction.input_limits import BODY_MAX
from readdo.messages import Message, message
from readdo.net import address, safe_connection
from readdo.net.safe_connection import Blocked, Watch, pools

COMPRESSED_MAX = 10_000_000
SECONDS = 20.0
READ_SECONDS = 8.0
REDIRECTS = 5
URL_MAX = 4000
KINDS = ("text/html", "application/xhtml+xml", "text/plain", "application/pdf")
FINAL = {401, 403, 404, 410, 451}  # a retry would get the same status
_STATUS_KEYS = {
    401: "http.login_required",
    403: "http.forbidden",
    404: "http.not_found",
    410: "http.gone",
    429: "http.rate_limited",
    451: "http.legal_reasons",
}
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; ReadDo/1.0)",
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8",
    "Accept-Language": "en,zh;q=0.9,*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
    "Connection": "close",  # each redirect gets a new connection, whose address is checked
}


class _Adapter(HTTPAdapter):
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        super().__init__(max_retries=0)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **more: Any) -> None:
        self.poolmanager = PoolManager(num_pools=connections, maxsize=maxsize, block=block, **more)
        self.poolmanager.pool_classes_by_scheme = pools(self._watch)

    def proxy_manager_for(self, *_: object, **__: object) -> Any:
        raise Blocked(message("link.proxy"))


def _open_session(watch: Watch) -> requests.Session:
    """A session that ignores the environment: no proxy, no netrc, only the certificates of requests."""
    http = requests.Session()
    http.trust_env = False
    http.mount("http://", _Adapter(watch))
    http.mount("https://", _Adapter(watch))
    return http


@dataclass(frozen=True)
class FetchedPage:
    body: bytes
    url: str
    content_type: str


def fetch(url: str, *, kinds: tuple[str, ...] = KINDS, seconds: float = SECONDS) -> FetchedPage:
    site = _site_of(url)
    with safe_connection.Watch(seconds, loopback=os.environ.get("READDO_ALLOW_LOOPBACK") == "1") as watch:
        try:
            with _open_session(watch) as session:
                return _follow(session, url, kinds, watch)
        except safe_connection.Blocked as blocked:
            raise _blocked_failure(blocked) from blocked
        except address.Unresolved as unknown:
            raise StepFailed("EXTRACTION_FETCH_FAILED", _unknown_site(unknown)) from unknown
        except requests.exceptions.SSLError as error:
            if watch.over or not _find_cause(error, ssl.SSLCertVerificationError):
                raise _connection_failure(site, error, watch) from error
            text = message("fetch.bad_certificate", site=site)
            raise StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=False, debug=_error_name(error)) from error
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError, zlib.error) as error:
            raise _connection_failure(site, error, watch) from error


def _follow(session: requests.Session, url: str, kinds: tuple[str, ...], watch: safe_connection.Watch) -> FetchedPage:
    for _ in range(REDIRECTS + 1):
        _check(url, watch)
        read_timeout = max(0.01, min(READ_SECONDS, watch.left))
        response = session.get(
            url,
            headers=_HEADERS,
            stream=True,
            allow_redirects=False,
            timeout=(safe_connection.CONNECT_SECONDS, read_timeout),
        )
        with response:
            location = session.get_redirect_target(response)
            if not location:
                return _page(response, url, kinds, watch)
            url = _join(url, location)
        session.close()  # some servers ignore "Connection: close"
    text = message("fetch.redirect_loop", site=_site_of(url))
    raise StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=False)


def _join(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError as error:
        raise safe_connection.Blocked(message("link.bad_redirect")) from error


def _check(url: str, watch: safe_connection.Watch) -> None:
    """Check a link with the parser that the connection uses, so that both see the same host."""
    try:
        parts = parse_url(url[: URL_MAX + 1])
    except urllib3.exceptions.LocationParseError as error:
        raise safe_connection.Blocked(message("link.unreadable")) from error
    if len(url) > URL_MAX:
        raise safe_connection.Blocked(message("link.too_long", n=URL_MAX))
    if parts.scheme not in ("http", "https") or not parts.host:
        raise safe_connection.Blocked(message("link.wrong_scheme"))
    if parts.auth is not None or "@" in re.split(r"[/?#\\]", url.split("://", 1)[-1])[0]:
        raise safe_connection.Blocked(message("link.has_credentials"))
    if parts.port not in (None, *safe_connection.PORTS) and not watch.loopback:
        raise safe_connection.Blocked(message("link.wrong_port", host=parts.host[:100], port=parts.port))


def _page(response: requests.Response, url: str, kinds: tuple[str, ...], watch: safe_connection.Watch) -> FetchedPage:
    site = _site_of(url)
    if response.status_code != requests.codes.ok:
        raise _status_failure(site, response.status_code)
    content_type = response.headers.get("content-type", "")
    media_type = re.split("[;,]", content_type)[0].strip().lower()
    if media_type and media_type not in kinds:
        raise StepFailed("EXTRACTION_PARSE_FAILED", message("fetch.wrong_type", site=site, kind=media_type[:60]))
    return FetchedPage(_body(response, site, watch), url, content_type)


def _body(response: requests.Response, site: str, watch: safe_connection.Watch) -> bytes:
    """Read and decompress the body chunk by chunk, and stop at the first byte over a limit."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    try:
        unpacker = Unpacker(coding)
    except UnknownCoding as unknown:
        text = message("fetch.wrong_encoding", site=site, coding=coding[:20])
        raise StepFailed("EXTRACTION_PARSE_FAILED", text) from unknown
    received, body = 0, bytearray()
    while chunk := response.raw.read1(65_536, decode_content=False):
        received += len(chunk)
        body += unpacker.feed(chunk, BODY_MAX + 1 - len(body))
        if received > COMPRESSED_MAX or len(body) > BODY_MAX:
            limit = COMPRESSED_MAX if received > COMPRESSED_MAX else BODY_MAX
            text = message("fetch.too_large", site=site, n=limit // 1_000_000)
            raise StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=False)
        if watch.over:
            break
    if watch.over:
        raise TimeoutError
    if unpacker.unfinished:
        raise ConnectionError("the packed page ends too early")
    return bytes(body)


def _status_failure(site: str, status: int) -> StepFailed:
    reason = message(_STATUS_KEYS.get(status, "http.server_error" if status >= 500 else "http.other"))
    text = message("fetch.http_error", site=site, status=status, what=reason)
    return StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=status not in FINAL)


def _blocked_failure(why: safe_connection.Blocked) -> StepFailed:
    return StepFailed("EXTRACTION_FETCH_FAILED", message("fetch.blocked", why=why.args[0]), retryable=False)


def _unknown_site(error: address.Unresolved) -> Message:
    return message("fetch.unknown_site", site=str(error)[:100])


def _connection_failure(site: str, error: Exception, watch: safe_connection.Watch) -> StepFailed:
    inner = _find_cause(error, safe_connection.Blocked) or _find_cause(error, address.Unresolved)
    if isinstance(inner, safe_connection.Blocked):
        return _blocked_failure(inner)
    if watch.over or isinstance(error, TimeoutError | requests.Timeout):
        text = message("fetch.timeout", site=site)
    elif isinstance(inner, address.Unresolved):
        text = _unknown_site(inner)
    else:
        text = message("fetch.connection_lost", site=site)
    return StepFailed("EXTRACTION_FETCH_FAILED", text, debug=_error_name(error))


def _find_cause(error: BaseException | None, kind: type[Exception]) -> Exception | None:
    """Find an error of the connection in the chain of errors: requests and urllib3 wrap it."""
    visited: set[int] = set()
    while error is not None and id(error) not in visited:
        visited.add(id(error))
        if isinstance(error, kind):
            return error
        error = error.__cause__ or error.__context__
    return None


def _error_name(error: Exception) -> str:
    return type(error).__name__


def _site_of(url: str) -> str:
    """The host for a message. The complete link may contain private data."""
    try:
        host = parse_url(url[:URL_MAX]).host
    except urllib3.exceptions.LocationParseError:
        host = None
    return host[:100] if host else message("fetch.this_site")
