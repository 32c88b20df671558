"""Read the article behind a link, for some sites from another URL than the page."""

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urlsplit

from lxml import html as lxml_html

from readdo.errors import StepFailed
from readdo.extraction import video
from readdo.extraction.article import payload, read_article
from readdo.extraction.fetch import SECONDS, FetchedPage, fetch
from readdo.messages import message

Reader = Callable[[FetchedPage], dict[str, Any]]
_JSON = ("application/json", "text/javascript", "application/javascript")
_RETRY_SECONDS = 0.5  # another URL is tried only with at least this much time left
_PAPER = re.compile(r"/(?:abs|html|pdf)/([\w.-]+/?\d[\w.]*?)(?:\.pdf)?$")


def read(url: str) -> dict[str, Any]:
    """Read the article behind a link from the first URL that has a text. The page itself is the last."""
    end = time.monotonic() + SECONDS
    failure: StepFailed | None = None
    for address, kinds, reader in _candidates(url):
        remaining = end - time.monotonic()
        if failure and remaining < _RETRY_SECONDS:
            break
        try:
            return reader(fetch(address, seconds=remaining, **({"kinds": kinds} if kinds else {})))
        except StepFailed as error:
            failure = error
    raise failure or StepFailed("EXTRACTION_FETCH_FAILED", message("fetch.no_link"))


def _candidates(url: str) -> Iterator[tuple[str, tuple[str, ...] | None, Reader]]:
    parts = urlsplit(url)
    host, path = (parts.hostname or "").removeprefix("www."), parts.path
    if host in ("youtube.com", "m.youtube.com", "youtu.be"):
        yield video.page_of(url), None, _video
        return
    if host in ("x.com", "twitter.com", "mobile.twitter.com") and "/status/" in path:
        yield f"https://publish.twitter.com/oembed?omit_script=1&dnt=1&url={quote(url, safe='')}", _JSON, _post
    if host == "github.com" and len(names := [p for p in path.split("/") if p]) == 2:
        yield f"https://raw.githubusercontent.com/{names[0]}/{names[1]}/HEAD/README.md", None, _article
    if host == "arxiv.org" and (match := _PAPER.search(path)):
        yield f"https://arxiv.org/html/{match[1]}", None, _article
        yield f"https://arxiv.org/pdf/{match[1]}", None, _article
    yield url, None, _article


def _article(page: FetchedPage) -> dict[str, Any]:
    return read_article(page.body, page.url, page.content_type or None)


def _video(page: FetchedPage) -> dict[str, Any]:
    return payload(video.read(page.body.decode("utf-8", "replace")))


def _post(page: FetchedPage) -> dict[str, Any]:
    """Read a post from its oEmbed answer: the page itself needs a login."""
    try:
        embed = json.loads(page.body)
        author, html = str(embed["author_name"]), str(embed["html"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StepFailed("EXTRACTION_PARSE_FAILED", message("post.unreadable")) from error
    element = lxml_html.fromstring(f"<div>{html}</div>")
    paragraphs = ["\n".join(p.itertext()).strip() for p in element.iter("p")]
    text = "\n\n".join(p for p in paragraphs if p)
    return payload({"text": text, "title": f"{author} on X", "author": author[:120], "site_name": "X"})
