"""A video: its title, description and length. Its words are not to be had: transcripts are refused to the cloud."""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import article_text
import input_limits
from readdo.errors import StepFailed
from readdo.messages import message

_ID = re.compile(r"[\w-]{6,20}")
_LENGTH = re.compile(r'"lengthSeconds":\s*"(\d{1,7})"')
_WHOLE = re.compile(r'"shortDescription":\s*("(?:[^"\\]|\\.){0,20000}")')
_DURATION = re.compile(r"PT(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?")


def page_of(url: str) -> str:
    """The video's own page, whichever of its links was saved."""
    parts = urlsplit(url)
    last = parts.path.rstrip("/").rsplit("/", 1)[-1]
    name = (parse_qs(parts.query).get("v") or [last])[0]
    return f"https://www.youtube.com/watch?v={name}&hl=en" if _ID.fullmatch(name) else url


def read(page: str) -> dict[str, Any]:
    tree = article_text.parsed(input_limits.lightened(page))
    if tree is None:
        raise _gone()
    title = _meta(tree, "og:title") or _meta(tree, "title")
    described = _described(page) or _meta(tree, "og:description") or _meta(tree, "description")
    if not title or title.strip() in ("YouTube", "- YouTube"):
        raise _gone()
    author = "".join(tree.xpath('//*[@itemprop="author"]//*[@itemprop="name"]/@content')[:1])
    known: dict[str, Any] = {"site_name": "YouTube", "source_hint": "video"}
    known |= {"author": author[:120]} if author else {}
    known |= {"image": image[:2000]} if (image := _meta(tree, "og:image")) else {}
    known |= {"duration_seconds": seconds} if (seconds := _seconds(page, tree)) else {}
    partial = message("partial.video")
    return {"text": f"# {title}\n\n{described}".strip(), "title": title, "partial": partial, **known}


def _gone() -> StepFailed:
    return StepFailed("EXTRACTION_PARSE_FAILED", message("video.gone"))


def _meta(tree: Any, name: str) -> str:
    found = tree.xpath("//meta[@property=$name or @name=$name or @itemprop=$name]/@content", name=name)
    return str(found[0]).strip() if found else ""


def _described(page: str) -> str:
    """The whole description: what the page says of itself in its head is cut short."""
    found = _WHOLE.search(page)
    try:
        return str(json.loads(found[1])).strip() if found else ""
    except ValueError:
        return ""


def _seconds(page: str, tree: Any) -> int:
    if found := _LENGTH.search(page):
        return int(found[1])
    parts = _DURATION.fullmatch(_meta(tree, "duration"))
    hours, minutes, seconds = (int(part or 0) for part in parts.groups()) if parts else (0, 0, 0)
    return hours * 3600 + minutes * 60 + seconds
