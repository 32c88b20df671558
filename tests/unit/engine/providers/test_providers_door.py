"""The HTTP transport to model servers, without a provider."""

import ssl
import time
from typing import Any

import pytest

from readdo.engine.providers import model_transport
from support.model_server import model_server, ok
from unit.engine.providers.provider_asks import GOOD

TLS = ssl.create_default_context()


def test_send_after_the_deadline_opens_no_connection() -> None:
    with model_server(ok(GOOD)) as server:
        with pytest.raises(model_transport.ConnectionClosed) as caught:
            model_transport.send(model_transport.ModelRequest("POST", server.url, {}, b"{}"), time.monotonic() - 1, TLS)
        assert (caught.value.kind, server.requests) == ("no_time", [])


def test_programming_error_is_raised_unchanged() -> None:
    headers: Any = {"X-Odd": object()}
    with model_server(ok(GOOD)) as server, pytest.raises(TypeError):
        model_transport.send(
            model_transport.ModelRequest("POST", server.url, headers, b"{}"), time.monotonic() + 20, TLS
        )


def test_request_repr_contains_neither_key_nor_text() -> None:
    assert "text" not in repr(model_transport.ModelRequest("POST", "http://x", {"Authorization": "text"}, b"text"))
