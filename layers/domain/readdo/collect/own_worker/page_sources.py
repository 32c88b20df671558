"""Pages that were read for a document. A page that needs a login or a payment needs a person."""

from dataclasses import dataclass
from typing import Any

from readdo.collect.own_worker.link_lists import WebLink
from readdo.errors import StepFailed
from readdo.extraction import sources
from readdo.messages import Message

_NEEDS_PERSON = (
    *("page.login", "page.paywall", "page.bot_check", "page.region_blocked"),
    *("partial.login", "partial.paywall"),
)
_STATUSES = (401, 402, 403, 407, 451)


class NeedsPermission(Exception):
    """Its argument is the reason, as a message to the user."""


@dataclass(frozen=True)
class PageSource:
    url: str
    title: str
    text: str
    language: str
    facts: dict[str, str]  # author, site_name, publish_date: those that are known


def read_source(link: WebLink) -> PageSource:
    """Raises NeedsPermission, or StepFailed if the page has no article."""
    try:
        article = sources.read(link.url)
    except StepFailed as error:
        if is_closed(error.message):
            raise NeedsPermission(str(error.message)) from error
        raise
    for warning in article["warnings"]:
        if isinstance(warning, Message) and warning.key in _NEEDS_PERSON:
            raise NeedsPermission(str(warning))
    meta = article["content_meta"]
    facts = {name: str(meta[name]) for name in ("author", "site_name", "publish_date") if meta.get(name)}
    title = str(article.get("title") or link.text or link.url)
    return PageSource(link.url, title, article["normalized_text"], str(meta["language"]), facts)


def is_closed(text: Any) -> bool:
    """True for the failure of a page that needs a login, a payment or a person."""
    if not isinstance(text, Message):
        return False
    if text.key == "fetch.http_error":
        return text.params.get("status") in _STATUSES
    return text.key in _NEEDS_PERSON or any(is_closed(value) for value in text.params.values())
