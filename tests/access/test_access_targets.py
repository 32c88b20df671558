"""A webhook reaches no private address: not by its URL, by DNS or by a redirect."""

import pytest

from access.fake_network import OPEN, PUBLIC, PUBLIC6, fake_network, page_response, redirect_response
from access.hostile_urls import ALL_URLS, NOT_IN_HEADERS
from readdo.net import target
from readdo.net.http_post import post

OVER_TLS = [f"https:{url.split(':', 1)[1]}" for url in (*ALL_URLS, *NOT_IN_HEADERS) if url.lower().startswith("http:")]
HOSTILE = sorted({*ALL_URLS, *NOT_IN_HEADERS, *OVER_TLS})
# Harmless-looking names: only their resolved addresses are checked, at delivery.
CHECKED_BY_ADDRESS = [url for url in HOSTILE if not target.find_problem(url)]


def test_number_of_hostile_addresses() -> None:
    assert len(HOSTILE) >= 300
    assert len(CHECKED_BY_ADDRESS) <= 40, "most are refused when the webhook is added"


@pytest.mark.parametrize("url", HOSTILE)
def test_hostile_address_gets_no_connection(url: str) -> None:
    with fake_network() as watched:
        answer = post(url, b"{}", {})
    assert watched.connected == []
    assert answer.status == 0
    assert answer.words.endswith(".")


@pytest.mark.parametrize("place", ["127.0.0.1", "::1", "169.254.169.254", "::ffff:10.0.0.1", "64:ff9b::7f00:1"])
@pytest.mark.parametrize("first", [PUBLIC, PUBLIC6])
def test_name_with_one_private_address_is_refused(place: str, first: str) -> None:
    for places in ([first, place], [place, first]):
        with fake_network({"hooks.example": [places]}) as watched:
            answer = post("https://hooks.example/", b"{}", {})
        assert watched.connected == []
        assert answer.final
        assert "not an address on the public internet, so nothing was sent" in answer.words


def test_public_name_is_resolved_once_and_connected_by_tls() -> None:
    with fake_network({"hooks.example": [[PUBLIC], ["127.0.0.1"]]}) as watched:
        watched.answers[PUBLIC] = [page_response()]
        post("https://hooks.example/", b"{}", {})
        assert b"hooks.example" in watched.received()[0], "as TLS's server name"
    assert (watched.looked_up, watched.connected) == (["hooks.example"], [(PUBLIC, 443)])


def test_webhook_follows_no_redirect_and_uses_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        target, "find_problem", lambda *_, **__: ""
    )  # unencrypted, so that the test can read what is sent
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:3128")
    with fake_network() as watched:
        watched.answers[PUBLIC] = [redirect_response("http://169.254.169.254/latest/meta-data/", 307)]
        answer = post(f"http://{OPEN}/", b"{}", {})
    assert watched.connected == [(PUBLIC, 80)]
    assert answer.status == 307
    assert not answer.is_success


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080/hook", "http://localhost:9/", "http://[::1]/", "https://127.0.0.1/"]
)
def test_loopback_is_allowed_only_by_setting(url: str) -> None:
    assert target.find_problem(url)
    assert target.find_problem(url, loopback=True) == ""


@pytest.mark.parametrize("url", ["http://10.0.0.1/", "http://hooks.example/", "https://10.0.0.1/", "ftp://127.0.0.1/"])
def test_loopback_setting_allows_no_other_address(url: str) -> None:
    assert target.find_problem(url, loopback=True)


@pytest.mark.parametrize(
    "url", ["https://hooks.example/a?b=c", "https://1.1.1.1/", "HTTPS://Hooks.Example:443/%E4%BE%8B"]
)
def test_public_url_is_accepted(url: str) -> None:
    assert target.find_problem(url) == ""
