"""A stranger's webhook reaches nothing behind our door: not as it is named, nor as it is asked, nor by a redirect."""

import pytest
from hostile_urls import ANYWHERE, ONLY_STRAIGHT
from intercepted import OPEN, PUBLIC, PUBLIC6, moved, net, page

from readdo.net import target
from readdo.net.http_post import post

OVER_TLS = [f"https:{url.split(':', 1)[1]}" for url in (*ANYWHERE, *ONLY_STRAIGHT) if url.lower().startswith("http:")]
HOSTILE = sorted({*ANYWHERE, *ONLY_STRAIGHT, *OVER_TLS})
# Whose names say nothing: only where they lead is looked at, when they are asked.
NAMED = [url for url in HOSTILE if not target.problem(url)]


def test_there_are_as_many_addresses_as_were_promised() -> None:
    assert len(HOSTILE) >= 300
    assert len(NAMED) <= 40, "most are refused when the webhook is added"


@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_address_is_told_nothing(url: str) -> None:
    with net() as watched:
        answer = post(url, b"{}", {})
    assert watched.connected == []
    assert answer.status == 0
    assert answer.words.endswith(".")


@pytest.mark.parametrize("place", ["127.0.0.1", "::1", "169.254.169.254", "::ffff:10.0.0.1", "64:ff9b::7f00:1"])
@pytest.mark.parametrize("first", [PUBLIC, PUBLIC6])
def test_one_private_address_among_a_names_many_closes_it(place: str, first: str) -> None:
    for places in ([first, place], [place, first]):
        with net({"hooks.example": [places]}) as watched:
            answer = post("https://hooks.example/", b"{}", {})
        assert watched.connected == []
        assert answer.final
        assert "not an address on the public internet, so nothing was sent" in answer.words


def test_a_public_one_is_asked_at_the_address_that_was_checked_by_tls_and_once() -> None:
    with net({"hooks.example": [[PUBLIC], ["127.0.0.1"]]}) as watched:
        watched.answers[PUBLIC] = [page()]
        post("https://hooks.example/", b"{}", {})
        assert b"hooks.example" in watched.was_sent()[0], "as TLS's server name"
    assert (watched.looked_up, watched.connected) == (["hooks.example"], [(PUBLIC, 443)])


def test_no_redirect_is_followed_and_no_proxy_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "problem", lambda *_, **__: "")  # in clear, to see what is sent
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:3128")
    with net() as watched:
        watched.answers[PUBLIC] = [moved("http://169.254.169.254/latest/meta-data/", 307)]
        answer = post(f"http://{OPEN}/", b"{}", {})
    assert watched.connected == [(PUBLIC, 80)]
    assert answer.status == 307
    assert not answer.took_it


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080/hook", "http://localhost:9/", "http://[::1]/", "https://127.0.0.1/"]
)
def test_this_machine_is_told_only_where_its_owner_says_so(url: str) -> None:
    assert target.problem(url)
    assert target.problem(url, loopback=True) == ""


@pytest.mark.parametrize("url", ["http://10.0.0.1/", "http://hooks.example/", "https://10.0.0.1/", "ftp://127.0.0.1/"])
def test_and_nothing_else_beside_it(url: str) -> None:
    assert target.problem(url, loopback=True)


@pytest.mark.parametrize(
    "url", ["https://hooks.example/a?b=c", "https://1.1.1.1/", "HTTPS://Hooks.Example:443/%E4%BE%8B"]
)
def test_what_is_public_may_be_told(url: str) -> None:
    assert target.problem(url) == ""
