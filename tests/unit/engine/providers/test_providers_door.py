"""The door itself, where no provider comes before it."""

import ssl
import time
from typing import Any

import pytest
from provider_asks import GOOD

from readdo.engine.providers import model_transport
from support.model_server import model_server, ok

TLS = ssl.create_default_context()


def test_no_time_left_opens_no_connection() -> None:
    with model_server(ok(GOOD)) as server:
        with pytest.raises(model_transport.ConnectionClosed) as caught:
            model_transport.send(model_transport.ModelRequest("POST", server.url, {}, b"{}"), time.monotonic() - 1, TLS)
        assert (caught.value.kind, server.requests) == ("no_time", [])


def test_a_mistake_of_ours_is_told_at_once_and_as_what_it_is() -> None:
    headers: Any = {"X-Odd": object()}
    with model_server(ok(GOOD)) as server, pytest.raises(TypeError):
        model_transport.send(
            model_transport.ModelRequest("POST", server.url, headers, b"{}"), time.monotonic() + 20, TLS
        )


def test_neither_key_nor_text_is_in_a_repr() -> None:
    assert "text" not in repr(model_transport.ModelRequest("POST", "http://x", {"Authorization": "text"}, b"text"))
