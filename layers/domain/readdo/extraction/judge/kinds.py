"""The kinds of pages that are not articles, their messages, and how much article text each may have."""

from enum import StrEnum
from typing import NamedTuple


class PageKind(StrEnum):
    SCRIPT_SHELL = "script_shell"
    BOT_CHECK = "bot_check"
    CONSENT = "consent"
    LOGIN = "login"
    PAYWALL = "paywall"
    REMOVED = "removed"
    NOT_FOUND = "not_found"
    REGION = "region"
    SERVER_ERROR = "server_error"
    PARKED = "parked"
    NO_RESULTS = "no_results"
    DONE_NOTE = "done_note"
    LINK_LIST = "link_list"
    FEED = "feed"
    NOTICE = "notice"


# The message keys of a refused page, and of an article with only its beginning.
REFUSED_KEYS = {
    PageKind.SCRIPT_SHELL: "page.script_shell",
    PageKind.BOT_CHECK: "page.bot_check",
    PageKind.CONSENT: "page.consent",
    PageKind.LOGIN: "page.login",
    PageKind.PAYWALL: "page.paywall",
    PageKind.REMOVED: "page.removed",
    PageKind.NOT_FOUND: "page.not_found",
    PageKind.REGION: "page.region_blocked",
    PageKind.SERVER_ERROR: "page.site_down",
    PageKind.PARKED: "page.parked_domain",
    PageKind.NO_RESULTS: "page.empty_search",
    PageKind.DONE_NOTE: "page.confirmation",
    PageKind.LINK_LIST: "page.link_list",
    PageKind.FEED: "page.teaser_list",
    PageKind.NOTICE: "page.interstitial",
}
PARTIAL_KEYS = {PageKind.PAYWALL: "partial.paywall", PageKind.LOGIN: "partial.login"}


class Bearable(NamedTuple):
    """The most article text of a page of a kind, in units: by default, and if its title names it."""

    alone: int
    titled: int


# A Latin letter is one unit, a Chinese or Japanese character three. A sentence has about 80 units.
# Script shells and consent notices have almost no other text; error pages have explanations, login pages advertising.
BEARABLE = {
    PageKind.SCRIPT_SHELL: Bearable(50, 160),
    PageKind.BOT_CHECK: Bearable(120, 450),
    PageKind.CONSENT: Bearable(50, 200),
    PageKind.LOGIN: Bearable(100, 500),
    PageKind.PAYWALL: Bearable(300, 400),
    PageKind.REMOVED: Bearable(100, 300),
    PageKind.NOT_FOUND: Bearable(110, 500),
    PageKind.REGION: Bearable(140, 400),
    PageKind.SERVER_ERROR: Bearable(110, 450),
    PageKind.PARKED: Bearable(200, 600),
    PageKind.NO_RESULTS: Bearable(120, 400),
    PageKind.DONE_NOTE: Bearable(110, 450),
    PageKind.NOTICE: Bearable(100, 300),
}
