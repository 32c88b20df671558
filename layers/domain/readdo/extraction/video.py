"""Read a video's title, description and length. YouTube refuses transcripts to cloud addresses."""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from readdo.errors import StepFailed
from readdo.extraction import article_text, input_limits
from readdo.messages import message

_ID = re.compile(r"[\w-]{6,20}")
_LENGTH = re.compile(r'"lengthSeconds":\s*"(\d{1,7})"')
_DESCRIPTION = re.compile(r'"shortDescription":\s*("(?:[^"\\]|\\.){0,20000}")')
_DURATION = re.compile(r"PT(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?")


def page_of(url: str) -> str:
    """The watch page of a video, for any of its links."""
    parts = urlsplit(url)
    last = parts.path.rstrip("/").rsplit("/", 1)[-1]
    name = (parse_qs(parts.query).get("v") or [last])[0]
    return f"https://www.youtube.com/watch?v={name}&hl=en" if _ID.fullmatch(name) else url


def read(page: str) -> dict[str, Any]:
    tree = article_text.parse_html(input_limits.reduce_html(page))
    if tree is None:
        raise _unavailable()
    title = _meta(tree, "og:title") or _meta(tree, "title")
    description = _description(page) or _meta(tree, "og:description") or _meta(tree, "description")
    if not title or title.strip() in ("YouTube", "- YouTube"):
        raise _unavailable()
    author = "".join(tree.xpath('//*[@itemprop="author"]//*[@itemprop="name"]/@content')[:1])
    fields: dict[str, Any] = {"site_name": "YouTube", "source_hint": "video"}
    fields |= {"author": author[:120]} if author else {}
    fields |= {"image": image[:2000]} if (image := _meta(tree, "og:image")) else {}
    fields |= {"duration_seconds": seconds} if (seconds := _seconds(page, tree)) else {}
    partial = message("partial.video")
    return {"text": f"# {title}\n\n{description}".strip(), "title": title, "partial": partial, **fields}


def _unavailable() -> StepFailed:
    return StepFailed("EXTRACTION_PARSE_FAILED", message("video.gone"))


def _meta(tree: Any, name: str) -> str:
    contents = tree.xpath("//meta[@property=$name or @name=$name or @itemprop=$name]/@content", name=name)
    return str(contents[0]).strip() if contents else ""


def _description(page: str) -> str:
    """The complete description. The one in the page's head is cut off."""
    match = _DESCRIPTION.search(page)
    try:
        return str(json.loads(match[1])).strip() if match else ""
    except ValueError:
        return ""


def _seconds(page: str, tree: Any) -> int:
    if match := _LENGTH.search(page):
        return int(match[1])
    parts = _DURATION.fullmatch(_meta(tree, "duration"))
    hours, minutes, seconds = (int(part or 0) for part in parts.groups()) if parts else (0, 0, 0)
    return hours * 3600 + minutes * 60 + seconds
