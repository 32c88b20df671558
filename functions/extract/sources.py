"""Where the text of a link really is: some pages are shells around it, and say elsewhere what they hold."""

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urlsplit

from lxml import html as lxml_html

import video
from article import payload, read_article
from fetch import SECONDS, FetchedPage, fetch
from readdo.errors import StepFailed
from readdo.messages import message

Reader = Callable[[FetchedPage], dict[str, Any]]
_JSON = ("application/json", "text/javascript", "application/javascript")
_HTML_ANYWAY = 0.5  # seconds that must be left for another try to make sense
_PAPER = re.compile(r"/(?:abs|html|pdf)/([\w.-]+/?\d[\w.]*?)(?:\.pdf)?$")


def read(url: str) -> dict[str, Any]:
    """The article behind a link: by the first way that leads to a text; the page itself is the last."""
    end = time.monotonic() + SECONDS
    failed: StepFailed | None = None
    for place, kinds, reader in _ways(url):
        left = end - time.monotonic()
        if failed and left < _HTML_ANYWAY:
            break
        try:
            return reader(fetch(place, seconds=left, **({"kinds": kinds} if kinds else {})))
        except StepFailed as reason:
            failed = reason
    raise failed or StepFailed("EXTRACTION_FETCH_FAILED", message("fetch.no_link"))


def _ways(url: str) -> Iterator[tuple[str, tuple[str, ...] | None, Reader]]:
    parts = urlsplit(url)
    host, path = (parts.hostname or "").removeprefix("www."), parts.path
    if host in ("youtube.com", "m.youtube.com", "youtu.be"):
        yield video.page_of(url), None, _video
        return
    if host in ("x.com", "twitter.com", "mobile.twitter.com") and "/status/" in path:
        yield f"https://publish.twitter.com/oembed?omit_script=1&dnt=1&url={quote(url, safe='')}", _JSON, _post
    if host == "github.com" and len(found := [p for p in path.split("/") if p]) == 2:
        yield f"https://raw.githubusercontent.com/{found[0]}/{found[1]}/HEAD/README.md", None, _article
    if host == "arxiv.org" and (paper := _PAPER.search(path)):
        yield f"https://arxiv.org/html/{paper[1]}", None, _article
        yield f"https://arxiv.org/pdf/{paper[1]}", None, _article
    yield url, None, _article


def _article(page: FetchedPage) -> dict[str, Any]:
    return read_article(page.body, page.url, page.content_type or None)


def _video(page: FetchedPage) -> dict[str, Any]:
    return payload(video.read(page.body.decode("utf-8", "replace")))


def _post(page: FetchedPage) -> dict[str, Any]:
    """A post by its oEmbed: the page itself shows nothing without a login."""
    try:
        told = json.loads(page.body)
        author, html = str(told["author_name"]), str(told["html"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StepFailed("EXTRACTION_PARSE_FAILED", message("post.unreadable")) from error
    quote_ = lxml_html.fromstring(f"<div>{html}</div>")
    paragraphs = ["\n".join(p.itertext()).strip() for p in quote_.iter("p")]
    text = "\n\n".join(p for p in paragraphs if p)
    return payload({"text": text, "title": f"{author} on X", "author": author[:120], "site_name": "X"})
