"""The responses that `fetch` accepts or refuses, and its messages."""

import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from readdo.errors import StepFailed
from readdo.extraction.fetch import fetch
from readdo.net.safe_connection import Watch
from unit.extract.web import PAGE, Answer, for_ever, packed, sends, silence, to, web

CONNECTIONS: list[int] = []


def stays_open(answer: Answer) -> Answer:
    """Keep the connection open, as some servers do although the client asks them to close it."""

    def stay(to: BaseHTTPRequestHandler) -> None:
        CONNECTIONS.append(to.client_address[1])
        to.protocol_version = "HTTP/1.1"
        answer(to)
        to.close_connection = False

    return stay


PAGES = {
    "/open-moved": stays_open(to("/open-page")),
    "/open-page": stays_open(sends()),
    "/page": sends(),
    "/packed": packed(PAGE),
    "/deflated": sends(zlib.compress(PAGE), Content_Encoding="deflate"),
    "/bare": sends(zlib.compress(PAGE)[2:-4], Content_Encoding="deflate"),
    "/moved": to("/page"),
    "/round": to("/round"),
    "/into-the-cloud": to("http://169.254.169.254/latest/meta-data"),
    "/into-a-file": to("file:///etc/hostname"),
    "/into-another-port": to("http://10.0.0.1:6379/"),
    "/picture": sends(b"x", Content_Type="image/png"),
    "/nameless": sends(PAGE, Content_Type=""),
    "/brotli": sends(b"x", Content_Encoding="br"),
    "/bomb": packed(b"\0" * 60_000_000),
    "/endless": for_ever(b"x" * 65_536),
    "/half": sends(PAGE, Content_Length="9999"),
    "/silent": silence(b""),
    "/silent-head": silence(b"HTTP/1.1 200 OK\r\nX-A: "),
    "/silent-body": silence(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\nab"),
    **{f"/{status}": sends(b"", status) for status in (401, 403, 404, 410, 429, 451, 500, 503)},
}


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with web(PAGES) as url:
        yield url


@pytest.fixture
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READDO_ALLOW_LOOPBACK", "1")


def refusal(url: str, seconds: float = 10.0) -> StepFailed:
    with pytest.raises(StepFailed) as failed:
        fetch(url, seconds=seconds)
    assert "aste" in failed.value.message, "the message says what to do"
    return failed.value


@pytest.mark.usefixtures("_loopback")
@pytest.mark.parametrize("path", ["/page", "/packed", "/deflated", "/bare", "/moved", "/nameless"])
def test_fetch_returns_the_page_unchanged(site: str, path: str) -> None:
    page = fetch(site + path)
    assert page.body == PAGE
    assert page.url.endswith("/page" if path == "/moved" else path)


@pytest.mark.usefixtures("_loopback")
@pytest.mark.parametrize(
    ("path", "code", "retryable", "words"),
    [
        ("/round", "EXTRACTION_FETCH_FAILED", False, "redirects too many times"),
        ("/into-the-cloud", "EXTRACTION_FETCH_FAILED", False, "169.254.169.254 is not an address on the public"),
        ("/into-a-file", "EXTRACTION_FETCH_FAILED", False, "http:// or https://"),
        ("/into-another-port", "EXTRACTION_FETCH_FAILED", False, "10.0.0.1 is not an address on the public internet"),
        ("/picture", "EXTRACTION_PARSE_FAILED", False, "image/png"),
        ("/brotli", "EXTRACTION_PARSE_FAILED", False, "br"),
        ("/bomb", "EXTRACTION_FETCH_FAILED", False, "larger than"),
        ("/endless", "EXTRACTION_FETCH_FAILED", False, "larger than"),
        ("/half", "EXTRACTION_FETCH_FAILED", True, "was lost"),
        ("/401", "EXTRACTION_FETCH_FAILED", False, "401"),
        ("/403", "EXTRACTION_FETCH_FAILED", False, "403"),
        ("/404", "EXTRACTION_FETCH_FAILED", False, "404"),
        ("/410", "EXTRACTION_FETCH_FAILED", False, "410"),
        ("/429", "EXTRACTION_FETCH_FAILED", True, "429"),
        ("/451", "EXTRACTION_FETCH_FAILED", False, "451"),
        ("/500", "EXTRACTION_FETCH_FAILED", True, "500"),
        ("/503", "EXTRACTION_FETCH_FAILED", True, "503"),
    ],
)
def test_fetch_failure_has_its_code_and_message(site: str, path: str, code: str, retryable: bool, words: str) -> None:
    failed = refusal(site + path)
    assert (failed.code, failed.retryable) == (code, retryable)
    assert words in failed.message


@pytest.mark.usefixtures("_loopback")
@pytest.mark.parametrize("path", ["/silent", "/silent-head", "/silent-body"])
def test_fetch_gives_up_on_a_silent_server(site: str, path: str) -> None:
    failed = refusal(site + path, seconds=0.3)
    assert (failed.code, failed.retryable) == ("EXTRACTION_FETCH_FAILED", True)
    assert "took too long" in failed.message


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://example.com/a", "http:// or https://"),
        ("file:///etc/hostname", "http:// or https://"),
        ("javascript:alert(1)", "http:// or https://"),
        ("//example.com/a", "http:// or https://"),
        ("", "http:// or https://"),
        ("http://user:secret@example.com/", "user name"),
        ("http://example.com:22/", "port 22"),
        ("http://example.com:8080/", "port 8080"),
        ("http://[::1", "not valid"),
        ("http://example.com/" + "a" * 5000, "longer than"),
    ],
)
def test_forbidden_link_is_refused_before_any_lookup(monkeypatch: pytest.MonkeyPatch, url: str, words: str) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: pytest.fail("a name was looked up"))
    failed = refusal(url)
    assert words in failed.message
    assert failed.retryable is False
    assert "secret" not in failed.message


def test_fetch_ignores_proxy_settings(monkeypatch: pytest.MonkeyPatch, site: str, _loopback: None) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert fetch(f"{site}/page").body == PAGE


def test_loopback_needs_an_explicit_setting(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("READDO_ALLOW_LOOPBACK", raising=False)
    assert "port" in refusal(f"{site}/page").message
    assert "not an address on the public internet" in refusal("http://127.0.0.1/").message


def test_watch_without_time_is_over_at_once() -> None:
    with Watch(0.0) as watch:
        assert watch.over


@pytest.mark.usefixtures("_loopback")
def test_redirect_uses_a_new_connection(site: str) -> None:
    """A connection is checked when it is opened.

    A reused connection would skip the check of the next address.
    """
    CONNECTIONS.clear()
    assert fetch(f"{site}/open-moved").body == PAGE
    assert len(CONNECTIONS) == len(set(CONNECTIONS)) == 2
