"""A call ends by its deadline and within its size, whatever the server does; nothing is left behind."""

import gzip
import json
import threading

import pytest
from provider_asks import GOOD, SOON, WAYS, ask, fails, provider

from readdo.engine.providers import model_transport
from support.model_server import (
    Behaviour,
    drip_body,
    drip_chunks,
    drip_headers,
    model_server,
    ok,
    raw,
    sends,
    silent,
)

DRIPS = {"headers": drip_headers(), "body": drip_body(), "chunks": drip_chunks(), "silence": silent()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", DRIPS)
def test_a_server_that_never_ends_does_not_outlive_the_deadline(way: str, name: str) -> None:
    with model_server(ok(GOOD), DRIPS[name]) as server:
        asked = provider(way, server)
        ask(asked)  # so that no library is loaded within the short time
        told = fails(asked, SOON)
        assert (told.code, told.kind) == ("AI_TIMEOUT", "slow")
        # The server would still send: it is the line that was cut, and so its thread ends.
        for left in [t for t in threading.enumerate() if t.name == "model-call"]:
            left.join(5)
            assert not left.is_alive()


def _huge(head: bytes, piece: bytes) -> Behaviour:
    return raw(head + piece * (2 * model_transport.REPLY_MAX // len(piece)))


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
HUGE = {
    "of no said length": lambda: _huge(HEAD + b"\r\n", b" " * 1000),
    "in chunks": lambda: _huge(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"64\r\n" + b" " * 100 + b"\r\n"),
    "of a said length": lambda: sends(b" " * 2 * model_transport.REPLY_MAX),
    "of an error": lambda: sends(b" " * 2 * model_transport.REPLY_MAX, 500),
    "packed": lambda: sends(gzip.compress(b" " * 50 * model_transport.REPLY_MAX), Content_Encoding="gzip"),
    "of headers": lambda: _huge(HEAD, b"X-More: 1\r\n"),
    "of one header": lambda: _huge(HEAD + b"X-More: ", b"1" * 1000),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", HUGE)
def test_a_huge_answer_is_not_read_to_its_end(way: str, name: str) -> None:
    with model_server(HUGE[name]()) as server:
        told = fails(provider(way, server))
    assert (told.code, told.retryable, told.kind) == ("AI_PROVIDER_ERROR", True, "garbled")
    assert len(server.requests) == 1


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_just_small_enough_is_read(way: str) -> None:
    with model_server(ok({"points": ["x" * 1_900_000]})) as server:
        assert len(json.loads(ask(provider(way, server)).text)["points"][0]) == 1_900_000


@pytest.mark.parametrize("way", WAYS)
def test_no_packing_is_asked_for_and_no_proxy_is_used(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with model_server(ok(GOOD)) as server:
        ask(provider(way, server))
    assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("way", WAYS)
def test_a_redirect_is_not_followed_with_the_key(way: str) -> None:
    with model_server(ok(GOOD)) as other, model_server(sends(b"", 307, Location=f"{other.url}/x")) as server:
        told = fails(provider(way, server))
    assert (told.code, told.retryable, told.kind, other.requests) == ("AI_PROVIDER_ERROR", False, "moved", [])
