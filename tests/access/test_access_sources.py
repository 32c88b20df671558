"""Sites whose text comes from another address have the same protection against private addresses."""

import json
from unittest import mock

import pytest

from access.fake_network import PUBLIC, fake_network, page_response, redirect_response
from readdo.errors import StepFailed
from readdo.extraction import sources
from readdo.extraction.fetch import fetch

# A saved link → the hosts that may be requested for it.
SPECIAL = {
    "https://www.youtube.com/watch?v=abcdefghijk": ["www.youtube.com"],
    "https://youtu.be/abcdefghijk": ["www.youtube.com"],
    "http://x.com/somebody/status/1": ["publish.twitter.com", "x.com"],
    "https://twitter.com/somebody/status/1": ["publish.twitter.com", "twitter.com"],
    "http://github.com/owner/name": ["raw.githubusercontent.com", "github.com"],
    "http://arxiv.org/abs/2301.00001": ["arxiv.org"],
    "http://arxiv.org/pdf/2301.00001v2.pdf": ["arxiv.org"],
}
HOSTS = sorted({host for hosts in SPECIAL.values() for host in hosts})
PRIVATE_ADDRESSES = ["127.0.0.1", "::1", "169.254.169.254", "fd00:ec2::254", "::ffff:10.0.0.1"]
# Links from which a derived URL could lead to another host.
CROOKED_LINKS = [
    "http://youtube.com@127.0.0.1/watch?v=abcdefghijk",
    "http://127.0.0.1/youtube.com/watch?v=abcdefghijk",
    "http://www.youtube.com.localhost/watch?v=abcdefghijk",
    "http://www.youtube.com\\@127.0.0.1/watch?v=@127.0.0.1",
    "https://www.youtube.com:6379/watch?v=%0d%0aSET",
    "https://user:pw@youtu.be/..",
    "https://x.com:22/a/status/1",
    "http://x.com@127.0.0.1/a/status/1",
    "http://x.com\\@127.0.0.1/a/status/1#@10.0.0.1",
    "http://github.com/..@127.0.0.1/x",
    "http://github.com/%40127.0.0.1/..%2f..%2f",
    "http://github.com/\\\\127.0.0.1/x",
    "http://github.com/@127.0.0.1:80/#",
    "http://arxiv.org/abs/127.0.0.1/0",
    "http://arxiv.org@127.0.0.1/abs/2301.00001",
    "http://arxiv.org/abs/..@127.0.0.1",
]


def refusal_of(url: str) -> str:
    with pytest.raises(StepFailed) as failed:
        sources.read(url)
    assert "aste" in failed.value.message
    return failed.value.message


@pytest.mark.parametrize("url", SPECIAL)
@pytest.mark.parametrize("place", PRIVATE_ADDRESSES)
def test_special_site_with_a_private_address_is_not_requested(url: str, place: str) -> None:
    with fake_network({host: [[place]] for host in HOSTS}) as watched:
        refusal_of(url)
        assert watched.connected == []
        assert set(watched.looked_up) <= set(SPECIAL[url])
        assert watched.looked_up, "it was about to be asked"


@pytest.mark.parametrize("url", SPECIAL)
@pytest.mark.parametrize("place", ["http://127.0.0.1/", "//169.254.169.254/", "http://[::1]/", "file:///etc/passwd"])
def test_special_site_redirect_to_a_private_address_is_not_followed(url: str, place: str) -> None:
    plain = url.replace("https://", "http://")
    with fake_network({host: [[PUBLIC]] for host in HOSTS}) as watched:
        watched.answers[PUBLIC] = [redirect_response(place) for _ in range(9)]
        refusal_of(plain)
        assert {to for to, _ in watched.connected} == {PUBLIC}


@pytest.mark.parametrize("url", CROOKED_LINKS)
def test_crooked_link_is_requested_only_from_public_addresses(url: str) -> None:
    with fake_network({host: [[PUBLIC]] for host in HOSTS}) as watched:
        refusal_of(url)
        assert {to for to, _ in watched.connected} <= {PUBLIC}
        assert {port for _, port in watched.connected} <= {80, 443}


SENTENCE = "A lease without a fencing token is only a suggestion. Number every lease."
POSTS = {
    "a letter that no tree can hold": {"author_name": "Ann", "html": f"<p>{SENTENCE}\x00\x1b&#0;</p>"},
    "half of a letter": {"author_name": "Ann", "html": f"<p>{SENTENCE}\ud800</p>"},
    "100,000 levels": {"author_name": "Ann", "html": "<div>" * 100_000 + f"<p>{SENTENCE}</p>"},
    "no markup": {"author_name": "Ann", "html": ""},
    "a list": {"author_name": ["Ann"], "html": [SENTENCE]},
    "no author": {"html": SENTENCE},
}


@pytest.mark.parametrize("name", POSTS)
def test_hostile_post_is_read_or_rejected(name: str) -> None:
    with fake_network({host: [[PUBLIC]] for host in HOSTS}) as watched:
        post = page_response(json.dumps(POSTS[name]).encode(), Content_Type="application/json")
        watched.answers[PUBLIC] = [post]
        with mock.patch.object(sources, "fetch", lambda url, **more: fetch(url.replace("https:", "http:"), **more)):
            try:
                assert SENTENCE in sources.read("http://x.com/somebody/status/1")["normalized_text"]
            except StepFailed as failed:
                assert "aste" in failed.message
