"""Each source has its own method to find the text of a link; the page itself is the last resort."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from readdo.errors import StepFailed
from readdo.extraction import sources
from readdo.extraction.fetch import FetchedPage

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
def serve_pages(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Serve a few pages and record the requested URLs. All other pages are missing."""

    def serve(pages: dict[str, tuple[str, str]]) -> list[str]:
        urls: list[str] = []

        def fetch(url: str, **_: Any) -> FetchedPage:
            urls.append(url)
            if url not in pages:
                raise StepFailed("EXTRACTION_FETCH_FAILED", "It has no such page.", retryable=False)
            body, kind = pages[url]
            return FetchedPage(body.encode(), url, kind)

        monkeypatch.setattr(sources, "fetch", fetch)
        return urls

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
def test_video_gives_title_description_and_duration(serve_pages: Any, link: str) -> None:
    serve_pages({"https://www.youtube.com/watch?v=abcdefghijk&hl=en": (VIDEO, "text/html")})
    extraction = sources.read(link)
    assert extraction["title"] == "Leases, explained"
    assert "what a fencing token does" in extraction["normalized_text"]
    assert extraction["content_meta"]["duration_seconds"] == 725
    assert (extraction["content_meta"]["author"], extraction["content_meta"]["source_hint"]) == ("Ann Lee", "video")
    assert extraction["warnings"] == ["Only the video's title and description are here, not its transcript."]


def test_unavailable_video_fails_with_a_reason(serve_pages: Any) -> None:
    page = "<html><head><title>YouTube</title></head><body></body></html>"
    serve_pages({"https://www.youtube.com/watch?v=abcdefghijk&hl=en": (page, "text/html")})
    with pytest.raises(StepFailed, match="private"):
        sources.read("https://youtu.be/abcdefghijk")


@pytest.mark.parametrize("host", ["x.com", "twitter.com", "mobile.twitter.com"])
def test_post_on_x_is_read_from_oembed(serve_pages: Any, host: str) -> None:
    url = f"https://publish.twitter.com/oembed?omit_script=1&dnt=1&url=https%3A%2F%2F{host}%2Fann%2Fstatus%2F1"
    serve_pages({url: (json.dumps(POST), "application/json")})
    extraction = sources.read(f"https://{host}/ann/status/1")
    assert "only a suggestion" in extraction["normalized_text"]
    assert extraction["title"] == "Ann Lee on X"
    assert extraction["content_meta"]["author"] == "Ann Lee"


def test_repository_gives_its_readme(serve_pages: Any) -> None:
    serve_pages({"https://raw.githubusercontent.com/ann/leases/HEAD/README.md": (README, "text/plain; charset=utf-8")})
    extraction = sources.read("https://github.com/ann/leases")
    assert (extraction["title"], extraction["normalized_text"]) == ("leases", README.strip())


@pytest.mark.parametrize("link", ["https://arxiv.org/abs/2401.00001v2", "https://arxiv.org/pdf/2401.00001v2.pdf"])
def test_arxiv_paper_is_read_in_full_text(serve_pages: Any, link: str) -> None:
    serve_pages({"https://arxiv.org/html/2401.00001v2": (ARTICLE, "text/html")})
    assert "Leases keep two workers" in sources.read(link)["normalized_text"]


@pytest.mark.parametrize("link", ["https://github.com/ann/leases", "https://arxiv.org/abs/2401.00001"])
def test_page_itself_is_the_last_resort(serve_pages: Any, link: str) -> None:
    urls = serve_pages({link: (ARTICLE, "text/html")})
    assert "Leases keep two workers" in sources.read(link)["normalized_text"]
    assert urls[-1] == link


def test_failure_of_the_last_method_is_reported(serve_pages: Any) -> None:
    urls = serve_pages({})
    with pytest.raises(StepFailed, match="no such page"):
        sources.read("https://github.com/ann/leases")
    assert len(urls) == 2
