"""A call respects its deadline and size limit whatever the server does, and leaves no thread behind."""

import gzip
import json
import threading

import pytest

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
from unit.engine.providers.provider_asks import GOOD, SOON, WAYS, ask, expect_failure, provider

DRIPS = {"headers": drip_headers(), "body": drip_body(), "chunks": drip_chunks(), "silence": silent()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", DRIPS)
def test_endless_response_ends_at_the_deadline(way: str, name: str) -> None:
    with model_server(ok(GOOD), DRIPS[name]) as server:
        model = provider(way, server)
        ask(model)  # loads the libraries before the short deadline
        failure = expect_failure(model, SOON)
        assert (failure.code, failure.kind) == ("AI_TIMEOUT", "slow")
        # The server would keep sending. The connection was closed, so the thread ends.
        for thread in [t for t in threading.enumerate() if t.name == "model-call"]:
            thread.join(5)
            assert not thread.is_alive()


def _huge(head: bytes, piece: bytes) -> Behaviour:
    return raw(head + piece * (2 * model_transport.REPLY_MAX // len(piece)))


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
HUGE = {
    "without a length": lambda: _huge(HEAD + b"\r\n", b" " * 1000),
    "in chunks": lambda: _huge(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"64\r\n" + b" " * 100 + b"\r\n"),
    "with a length": lambda: sends(b" " * 2 * model_transport.REPLY_MAX),
    "of an error": lambda: sends(b" " * 2 * model_transport.REPLY_MAX, 500),
    "compressed": lambda: sends(gzip.compress(b" " * 50 * model_transport.REPLY_MAX), Content_Encoding="gzip"),
    "of headers": lambda: _huge(HEAD, b"X-More: 1\r\n"),
    "of one header": lambda: _huge(HEAD + b"X-More: ", b"1" * 1000),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", HUGE)
def test_huge_response_is_not_read_completely(way: str, name: str) -> None:
    with model_server(HUGE[name]()) as server:
        failure = expect_failure(provider(way, server))
    assert (failure.code, failure.retryable, failure.kind) == ("AI_PROVIDER_ERROR", True, "garbled")
    assert len(server.requests) == 1


@pytest.mark.parametrize("way", WAYS)
def test_response_below_the_size_limit_is_read(way: str) -> None:
    with model_server(ok({"points": ["x" * 1_900_000]})) as server:
        assert len(json.loads(ask(provider(way, server)).text)["points"][0]) == 1_900_000


@pytest.mark.parametrize("way", WAYS)
def test_request_uses_no_compression_and_no_proxy(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with model_server(ok(GOOD)) as server:
        ask(provider(way, server))
    assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("way", WAYS)
def test_redirect_is_not_followed(way: str) -> None:
    with model_server(ok(GOOD)) as other, model_server(sends(b"", 307, Location=f"{other.url}/x")) as server:
        failure = expect_failure(provider(way, server))
    assert (failure.code, failure.retryable, failure.kind, other.requests) == ("AI_PROVIDER_ERROR", False, "moved", [])
