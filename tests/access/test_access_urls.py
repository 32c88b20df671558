"""A captured link reaches no private address: not directly, by a redirect or by DNS rebinding."""

import pytest

from access.fake_network import OPEN, PUBLIC, PUBLIC6, FakeNetwork, fake_network, page_response, redirect_response
from access.hostile_urls import ALL_URLS, NOT_IN_HEADERS
from readdo.errors import StepFailed
from readdo.extraction.fetch import REDIRECTS, fetch

REDIRECT_STATUSES = (301, 302, 303, 307, 308)
PUBLIC_PLACES = {(PUBLIC, 80), (PUBLIC, 443), (PUBLIC6, 80), (PUBLIC6, 443)}


def refusal_of(url: str) -> StepFailed:
    with pytest.raises(StepFailed) as failed:
        fetch(url)
    assert failed.value.code == "EXTRACTION_FETCH_FAILED"
    assert "aste" in failed.value.message, "it says what to do instead"
    return failed.value


def test_number_of_hostile_links() -> None:
    assert len(set(ALL_URLS)) >= 180
    assert len({url.partition(":")[0].lower() for url in ALL_URLS}) >= 10


@pytest.mark.parametrize("url", [*ALL_URLS, *NOT_IN_HEADERS])
def test_hostile_link_gets_no_connection(url: str) -> None:
    with fake_network() as watched:
        refusal_of(url)
    assert watched.connected == []


@pytest.mark.parametrize("url", ALL_URLS)
def test_redirect_to_a_hostile_link_gets_no_connection(url: str) -> None:
    for status in REDIRECT_STATUSES:
        with fake_network() as watched:
            watched.answers[PUBLIC] = [redirect_response(url, status)]
            refusal_of(f"http://{OPEN}/")
            # A relative redirect goes to the same site.
            assert set(watched.connected) == {(PUBLIC, 80)}
            assert all(OPEN.encode() in request.split(b"\r\n\r\n")[0] for request in watched.received())


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
def test_partial_redirect_url_connects_to_no_private_address(place: str) -> None:
    with fake_network() as watched:
        watched.answers[PUBLIC] = [redirect_response(place)]
        refusal_of(f"http://{OPEN}/")
        assert set(watched.connected) <= PUBLIC_PLACES


@pytest.mark.parametrize("hops", range(1, REDIRECTS + 1))
def test_each_redirect_is_checked(hops: int) -> None:
    with fake_network() as watched:
        watched.answers[PUBLIC] = [redirect_response(f"http://{OPEN}/{n}") for n in range(hops)]
        watched.answers[PUBLIC][-1] = redirect_response("http://169.254.169.254/latest/meta-data/")
        refusal_of(f"http://{OPEN}/")
        assert watched.connected == [(PUBLIC, 80)] * hops


def test_the_sixth_redirect_is_not_followed() -> None:
    with fake_network() as watched:
        watched.answers[PUBLIC] = [redirect_response(f"http://{OPEN}/{n}") for n in range(50)]
        assert "too many times" in refusal_of(f"http://{OPEN}/").message
        assert watched.connected == [(PUBLIC, 80)] * (REDIRECTS + 1)


REFRESH = b'<html><meta http-equiv="refresh" content="0;url=http://127.0.0.1/"><p>hello</p></html>'
OTHER_HINTS = {
    "Refresh": page_response(Refresh="0; url=http://127.0.0.1/"),
    "meta": page_response(REFRESH),
    "Content-Location": page_response(Content_Location="http://127.0.0.1/"),
    "Link": page_response(Link='<http://127.0.0.1/>; rel="canonical", <http://10.0.0.1/>; rel=preload'),
    "Location of a page": page_response(Location="http://127.0.0.1/"),
    "Alt-Svc": page_response(Alt_Svc='h2="127.0.0.1:443"'),
}


@pytest.mark.parametrize("way", OTHER_HINTS)
def test_other_redirect_hints_are_ignored(way: str) -> None:
    with fake_network() as watched:
        watched.answers[PUBLIC] = [OTHER_HINTS[way]]
        assert b"hello" in fetch(f"http://{OPEN}/").body
        assert watched.connected == [(PUBLIC, 80)]


def rebinding_names(*looks: list[str]) -> dict[str, list[list[str]]]:
    return {"rebinding.example": list(looks)}


@pytest.mark.parametrize(("first", "then"), [(PUBLIC, "127.0.0.1"), (PUBLIC6, "::1"), (PUBLIC, "fd00:ec2::254")])
def test_rebinding_name_is_resolved_once(first: str, then: str) -> None:
    with fake_network(rebinding_names([first], [then])) as watched:
        watched.answers[first] = [page_response()]
        assert b"hello" in fetch("http://rebinding.example/").body
        assert (watched.looked_up, watched.connected) == (["rebinding.example"], [(first, 80)])


@pytest.mark.parametrize(("first", "then"), [(PUBLIC, "127.0.0.1"), (PUBLIC6, "::1"), (PUBLIC, "169.254.169.254")])
def test_rebinding_name_is_checked_again_after_a_redirect(first: str, then: str) -> None:
    with fake_network(rebinding_names([first], [then])) as watched:
        watched.answers[first] = [redirect_response("/again")]
        assert "public internet" in refusal_of("http://rebinding.example/").message
        assert watched.connected == [(first, 80)]


@pytest.mark.parametrize("private", ["127.0.0.1", "::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1"])
@pytest.mark.parametrize("first", [PUBLIC, PUBLIC6])
def test_name_with_one_private_address_is_refused(first: str, private: str) -> None:
    for places in ([first, private], [private, first], [first] * 30 + [private]):
        with fake_network(rebinding_names(places)) as watched:
            watched.answers[first] = [page_response()]
            refusal_of("http://rebinding.example/")
            assert watched.connected == []


def connection_of(url: str) -> tuple[FakeNetwork, bytes]:
    with fake_network() as watched:
        watched.answers[PUBLIC] = [page_response()]
        try:
            fetch(url)
        except StepFailed:
            assert url.startswith("https"), "a page in clear is no answer to TLS"
        return watched, watched.received()[0]


def test_connection_uses_the_checked_address_and_the_host_name() -> None:
    plain, request = connection_of(f"http://{OPEN}/")
    assert f"Host: {OPEN}\r\n".encode() in request
    secure, hello = connection_of(f"https://{OPEN}/")
    assert OPEN.encode() in hello, "as TLS's server name"
    assert (plain.connected, secure.connected) == ([(PUBLIC, 80)], [(PUBLIC, 443)])


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
def test_proxy_environment_variables_are_ignored(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:3128")
    for scheme, port in (("http", 80), ("https", 443)):
        watched, _ = connection_of(f"{scheme}://{OPEN}/")
        assert watched.connected == [(PUBLIC, port)]
