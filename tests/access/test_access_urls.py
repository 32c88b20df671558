"""A stranger's link reaches nothing behind our door: straight, by a redirect, or by a name that changes its mind."""

import pytest
from hostile_urls import ANYWHERE, ONLY_STRAIGHT
from intercepted import OPEN, PUBLIC, PUBLIC6, Net, moved, net, page

from fetch import REDIRECTS, fetch
from readdo.errors import StepFailed

TIMES = (301, 302, 303, 307, 308)
OURS = {(PUBLIC, 80), (PUBLIC, 443), (PUBLIC6, 80), (PUBLIC6, 443)}


def refused(url: str) -> StepFailed:
    with pytest.raises(StepFailed) as failed:
        fetch(url)
    assert failed.value.code == "EXTRACTION_FETCH_FAILED"
    assert "aste" in failed.value.message, "it says what to do instead"
    return failed.value


def test_there_are_as_many_links_as_were_promised() -> None:
    assert len(set(ANYWHERE)) >= 180
    assert len({url.partition(":")[0].lower() for url in ANYWHERE}) >= 10


@pytest.mark.parametrize("url", [*ANYWHERE, *ONLY_STRAIGHT])
def test_a_hostile_link_connects_to_nothing(url: str) -> None:
    with net() as watched:
        refused(url)
    assert watched.connected == []


@pytest.mark.parametrize("url", ANYWHERE)
def test_a_redirect_to_a_hostile_link_connects_to_nothing_more(url: str) -> None:
    for status in TIMES:
        with net() as watched:
            watched.answers[PUBLIC] = [moved(url, status)]
            refused(f"http://{OPEN}/")
            # What stands relative to the site is asked of the site.
            assert set(watched.connected) == {(PUBLIC, 80)}
            assert all(OPEN.encode() in sent.split(b"\r\n\r\n")[0] for sent in watched.was_sent())


@pytest.mark.parametrize(
    "place",
    [
        "//127.0.0.1/",
        "///127.0.0.1/",
        "\\\\127.0.0.1\\",
        "/\\127.0.0.1/",
        "//127.0.0.1:6379/",
        "//localhost/",
        "//[::1]/",
        "//user@127.0.0.1/",
        "https:127.0.0.1",
        "http:127.0.0.1",
        "\thttp://127.0.0.1/",
        "ht\ttp://127.0.0.1/",
    ],
)
def test_a_redirect_that_names_a_place_by_halves_connects_to_nothing_private(place: str) -> None:
    with net() as watched:
        watched.answers[PUBLIC] = [moved(place)]
        refused(f"http://{OPEN}/")
        assert set(watched.connected) <= OURS


@pytest.mark.parametrize("hops", range(1, REDIRECTS + 1))
def test_each_of_many_redirects_is_looked_at_anew(hops: int) -> None:
    with net() as watched:
        watched.answers[PUBLIC] = [moved(f"http://{OPEN}/{n}") for n in range(hops)]
        watched.answers[PUBLIC][-1] = moved("http://169.254.169.254/latest/meta-data/")
        refused(f"http://{OPEN}/")
        assert watched.connected == [(PUBLIC, 80)] * hops


def test_the_sixth_redirect_is_not_followed() -> None:
    with net() as watched:
        watched.answers[PUBLIC] = [moved(f"http://{OPEN}/{n}") for n in range(50)]
        assert "redirects too many times" in refused(f"http://{OPEN}/").message
        assert watched.connected == [(PUBLIC, 80)] * (REDIRECTS + 1)


REFRESH = b'<html><meta http-equiv="refresh" content="0;url=http://127.0.0.1/"><p>hello</p></html>'
ONWARD = {
    "Refresh": page(Refresh="0; url=http://127.0.0.1/"),
    "meta": page(REFRESH),
    "Content-Location": page(Content_Location="http://127.0.0.1/"),
    "Link": page(Link='<http://127.0.0.1/>; rel="canonical", <http://10.0.0.1/>; rel=preload'),
    "Location of a page": page(Location="http://127.0.0.1/"),
    "Alt-Svc": page(Alt_Svc='h2="127.0.0.1:443"'),
}


@pytest.mark.parametrize("way", ONWARD)
def test_what_is_no_redirect_leads_nowhere(way: str) -> None:
    with net() as watched:
        watched.answers[PUBLIC] = [ONWARD[way]]
        assert b"hello" in fetch(f"http://{OPEN}/").body
        assert watched.connected == [(PUBLIC, 80)]


def rebinding(*looks: list[str]) -> dict[str, list[list[str]]]:
    return {"rebinding.example": list(looks)}


@pytest.mark.parametrize(("first", "then"), [(PUBLIC, "127.0.0.1"), (PUBLIC6, "::1"), (PUBLIC, "fd00:ec2::254")])
def test_a_name_that_turns_private_is_asked_where_it_was_public_and_not_again(first: str, then: str) -> None:
    with net(rebinding([first], [then])) as watched:
        watched.answers[first] = [page()]
        assert b"hello" in fetch("http://rebinding.example/").body
        assert (watched.looked_up, watched.connected) == (["rebinding.example"], [(first, 80)])


@pytest.mark.parametrize(("first", "then"), [(PUBLIC, "127.0.0.1"), (PUBLIC6, "::1"), (PUBLIC, "169.254.169.254")])
def test_a_name_that_turns_private_before_its_own_redirect_is_not_asked_again(first: str, then: str) -> None:
    with net(rebinding([first], [then])) as watched:
        watched.answers[first] = [moved("/again")]
        assert "public internet" in refused("http://rebinding.example/").message
        assert watched.connected == [(first, 80)]


@pytest.mark.parametrize("private", ["127.0.0.1", "::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1"])
@pytest.mark.parametrize("first", [PUBLIC, PUBLIC6])
def test_one_private_address_among_a_names_many_closes_it(first: str, private: str) -> None:
    for places in ([first, private], [private, first], [first] * 30 + [private]):
        with net(rebinding(places)) as watched:
            watched.answers[first] = [page()]
            refused("http://rebinding.example/")
            assert watched.connected == []


def connection_of(url: str) -> tuple[Net, bytes]:
    with net() as watched:
        watched.answers[PUBLIC] = [page()]
        try:
            fetch(url)
        except StepFailed:
            assert url.startswith("https"), "a page in clear is no answer to TLS"
        return watched, watched.was_sent()[0]


def test_the_address_that_was_checked_is_asked_in_the_names_own_name() -> None:
    plain, sent = connection_of(f"http://{OPEN}/")
    assert f"Host: {OPEN}\r\n".encode() in sent
    secure, hello = connection_of(f"https://{OPEN}/")
    assert OPEN.encode() in hello, "as TLS's server name"
    assert (plain.connected, secure.connected) == ([(PUBLIC, 80)], [(PUBLIC, 443)])


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:3128")
    for scheme, port in (("http", 80), ("https", 443)):
        watched, _ = connection_of(f"{scheme}://{OPEN}/")
        assert watched.connected == [(PUBLIC, port)]
