"""Where the text of a link really is: each source by its own way, and the page itself as the last."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import sources
from fetch import FetchedPage
from readdo.errors import StepFailed

VIDEO = """<html><head><title>Leases - YouTube</title><meta property="og:title" content="Leases, explained">
<meta property="og:description" content="Why two workers must not…"><meta property="og:image" content="https://i.example/1.jpg">
</head><body><div itemprop="author"><link itemprop="name" content="Ann Lee"></div>
<meta itemprop="duration" content="PT12M5S">
<script>var data = {"shortDescription": "Why two workers must not do the same job,\\nand what a fencing token does.",
"lengthSeconds": "725"};</script></body></html>"""
POST = {
    "author_name": "Ann Lee",
    "html": '<blockquote class="twitter-tweet"><p lang="en">A lease without a fencing token is only a suggestion.'
    " Number every lease.</p>&mdash; Ann Lee (@ann) <a href='https://x.com/a'>November 1, 2026</a></blockquote>",
}
README = "# leases\n\nA small library that keeps two workers from doing the same job, with fencing tokens.\n"
ARTICLE = (
    "<html><body><article><p>"
    + "Leases keep two workers from doing the same job. " * 8
    + "</p></article></body></html>"
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """A web of a few pages; what else is asked for is not there."""

    def serve(pages: dict[str, tuple[str, str]]) -> list[str]:
        places: list[str] = []

        def fetch(place: str, **_: Any) -> FetchedPage:
            places.append(place)
            if place not in pages:
                raise StepFailed("EXTRACTION_FETCH_FAILED", "It has no such page.", retryable=False)
            body, kind = pages[place]
            return FetchedPage(body.encode(), place, kind)

        monkeypatch.setattr(sources, "fetch", fetch)
        return places

    return serve


@pytest.mark.parametrize(
    "link",
    [
        "https://www.youtube.com/watch?v=abcdefghijk&t=10s",
        "https://youtu.be/abcdefghijk?si=x",
        "https://m.youtube.com/watch?v=abcdefghijk",
        "https://www.youtube.com/shorts/abcdefghijk",
    ],
)
def test_a_video_is_its_title_description_and_length(asked: Any, link: str) -> None:
    asked({"https://www.youtube.com/watch?v=abcdefghijk&hl=en": (VIDEO, "text/html")})
    found = sources.read(link)
    assert found["title"] == "Leases, explained"
    assert "what a fencing token does" in found["normalized_text"]
    assert found["content_meta"]["duration_seconds"] == 725
    assert (found["content_meta"]["author"], found["content_meta"]["source_hint"]) == ("Ann Lee", "video")
    assert found["warnings"] == ["Only the video's title and description are here; its words are not."]


def test_a_video_that_is_gone_says_so(asked: Any) -> None:
    page = "<html><head><title>YouTube</title></head><body></body></html>"
    asked({"https://www.youtube.com/watch?v=abcdefghijk&hl=en": (page, "text/html")})
    with pytest.raises(StepFailed, match="private"):
        sources.read("https://youtu.be/abcdefghijk")


@pytest.mark.parametrize("host", ["x.com", "twitter.com", "mobile.twitter.com"])
def test_a_post_is_read_by_its_oembed(asked: Any, host: str) -> None:
    place = f"https://publish.twitter.com/oembed?omit_script=1&dnt=1&url=https%3A%2F%2F{host}%2Fann%2Fstatus%2F1"
    asked({place: (json.dumps(POST), "application/json")})
    found = sources.read(f"https://{host}/ann/status/1")
    assert "only a suggestion" in found["normalized_text"]
    assert found["title"] == "Ann Lee on X"
    assert found["content_meta"]["author"] == "Ann Lee"


def test_a_repository_is_its_readme(asked: Any) -> None:
    asked({"https://raw.githubusercontent.com/ann/leases/HEAD/README.md": (README, "text/plain; charset=utf-8")})
    found = sources.read("https://github.com/ann/leases")
    assert (found["title"], found["normalized_text"]) == ("leases", README.strip())


@pytest.mark.parametrize("link", ["https://arxiv.org/abs/2401.00001v2", "https://arxiv.org/pdf/2401.00001v2.pdf"])
def test_a_paper_is_read_whole_where_it_is_whole(asked: Any, link: str) -> None:
    asked({"https://arxiv.org/html/2401.00001v2": (ARTICLE, "text/html")})
    assert "Leases keep two workers" in sources.read(link)["normalized_text"]


@pytest.mark.parametrize("link", ["https://github.com/ann/leases", "https://arxiv.org/abs/2401.00001"])
def test_the_page_itself_is_the_last_way(asked: Any, link: str) -> None:
    places = asked({link: (ARTICLE, "text/html")})
    assert "Leases keep two workers" in sources.read(link)["normalized_text"]
    assert places[-1] == link


def test_a_link_that_leads_nowhere_says_what_the_last_way_said(asked: Any) -> None:
    places = asked({})
    with pytest.raises(StepFailed, match="no such page"):
        sources.read("https://github.com/ann/leases")
    assert len(places) == 2
