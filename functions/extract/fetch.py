"""A link → the bytes behind it, within limits of size, time and kind that fire whatever the other side does."""

import os
import re
import ssl
import zlib
from dataclasses import dataclass
from urllib.parse import urljoin

import requests
import urllib3
from urllib3.util import parse_url

import sites
from decompression import UnknownCoding, Unpacker
from input_limits import BODY_MAX
from readdo.errors import StepFailed
from readdo.messages import Message, message
from readdo.net import address, safe_connection

COMPRESSED_MAX = 10_000_000
SECONDS = 20.0
READ_SECONDS = 8.0
REDIRECTS = 5
URL_MAX = 4000
KINDS = ("text/html", "application/xhtml+xml", "text/plain", "application/pdf")
FINAL = {401, 403, 404, 410, 451}  # the site's last word: asking again would not change it
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
    "Connection": "close",  # each redirect is a connection of its own, checked anew
}


@dataclass(frozen=True)
class FetchedPage:
    body: bytes
    url: str
    content_type: str


def fetch(url: str, *, kinds: tuple[str, ...] = KINDS, seconds: float = SECONDS) -> FetchedPage:
    site = _shown(url)
    with safe_connection.Watch(seconds, loopback=os.environ.get("READDO_ALLOW_LOOPBACK") == "1") as watch:
        try:
            with sites.session(watch) as session:
                return _follow(session, url, kinds, watch)
        except safe_connection.Blocked as blocked:
            raise _blocked(blocked) from blocked
        except address.Unresolved as unknown:
            raise StepFailed("EXTRACTION_FETCH_FAILED", _unknown_site(unknown)) from unknown
        except requests.exceptions.SSLError as error:
            if watch.over or not _found(error, ssl.SSLCertVerificationError):
                raise _broken(site, error, watch) from error
            text = message("fetch.bad_certificate", site=site)
            raise StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=False, debug=_named(error)) from error
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError, zlib.error) as error:
            raise _broken(site, error, watch) from error


def _follow(session: requests.Session, url: str, kinds: tuple[str, ...], watch: safe_connection.Watch) -> FetchedPage:
    for _ in range(REDIRECTS + 1):
        _check(url, watch)
        wait = max(0.01, min(READ_SECONDS, watch.left))
        answer = session.get(
            url, headers=_HEADERS, stream=True, allow_redirects=False, timeout=(safe_connection.CONNECT_SECONDS, wait)
        )
        with answer:
            onward = session.get_redirect_target(answer)
            if not onward:
                return _page(answer, url, kinds, watch)
            url = _joined(url, onward)
        session.close()  # some servers keep a connection open that was asked to be closed
    text = message("fetch.redirect_loop", site=_shown(url))
    raise StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=False)


def _joined(url: str, onward: str) -> str:
    try:
        return urljoin(url, onward)
    except ValueError as error:
        raise safe_connection.Blocked(message("link.bad_redirect")) from error


def _check(url: str, watch: safe_connection.Watch) -> None:
    """As the connection will read it, so that no two readings of one link differ."""
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


def _page(answer: requests.Response, url: str, kinds: tuple[str, ...], watch: safe_connection.Watch) -> FetchedPage:
    site = _shown(url)
    if answer.status_code != requests.codes.ok:
        raise _refused(site, answer.status_code)
    kind = answer.headers.get("content-type", "")
    named = re.split("[;,]", kind)[0].strip().lower()
    if named and named not in kinds:
        raise StepFailed("EXTRACTION_PARSE_FAILED", message("fetch.wrong_type", site=site, kind=named[:60]))
    return FetchedPage(_body(answer, site, watch), url, kind)


def _body(answer: requests.Response, site: str, watch: safe_connection.Watch) -> bytes:
    """Read as it comes and unpacked by ourselves, so that the first byte too many ends it."""
    coding = answer.headers.get("content-encoding", "").strip().lower()
    try:
        unpacker = Unpacker(coding)
    except UnknownCoding as unknown:
        text = message("fetch.wrong_encoding", site=site, coding=coding[:20])
        raise StepFailed("EXTRACTION_PARSE_FAILED", text) from unknown
    taken, made = 0, bytearray()
    while chunk := answer.raw.read1(65_536, decode_content=False):
        taken += len(chunk)
        made += unpacker.feed(chunk, BODY_MAX + 1 - len(made))
        if taken > COMPRESSED_MAX or len(made) > BODY_MAX:
            most = COMPRESSED_MAX if taken > COMPRESSED_MAX else BODY_MAX
            text = message("fetch.too_large", site=site, n=most // 1_000_000)
            raise StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=False)
        if watch.over:
            break
    if watch.over:
        raise TimeoutError
    if unpacker.unfinished:
        raise ConnectionError("the packed page ends too early")
    return bytes(made)


def _refused(site: str, status: int) -> StepFailed:
    reason = message(_STATUS_KEYS.get(status, "http.server_error" if status >= 500 else "http.other"))
    text = message("fetch.http_error", site=site, status=status, what=reason)
    return StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=status not in FINAL)


def _blocked(why: safe_connection.Blocked) -> StepFailed:
    return StepFailed("EXTRACTION_FETCH_FAILED", message("fetch.blocked", why=why.args[0]), retryable=False)


def _unknown_site(error: address.Unresolved) -> Message:
    return message("fetch.unknown_site", site=str(error)[:100])


def _broken(site: str, error: Exception, watch: safe_connection.Watch) -> StepFailed:
    inner = _found(error, safe_connection.Blocked) or _found(error, address.Unresolved)
    if isinstance(inner, safe_connection.Blocked):
        return _blocked(inner)
    if watch.over or isinstance(error, TimeoutError | requests.Timeout):
        text = message("fetch.timeout", site=site)
    elif isinstance(inner, address.Unresolved):
        text = _unknown_site(inner)
    else:
        text = message("fetch.connection_lost", site=site)
    return StepFailed("EXTRACTION_FETCH_FAILED", text, debug=_named(error))


def _found(error: BaseException | None, kind: type[Exception]) -> Exception | None:
    """The libraries wrap what happened in the connection in errors of their own."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, kind):
            return error
        error = error.__cause__ or error.__context__
    return None


def _named(error: Exception) -> str:
    return type(error).__name__


def _shown(url: str) -> str:
    """The site's name, for words: never the whole link, which may hold what is private."""
    try:
        host = parse_url(url[:URL_MAX]).host
    except urllib3.exceptions.LocationParseError:
        host = None
    return host[:100] if host else message("fetch.this_site")
