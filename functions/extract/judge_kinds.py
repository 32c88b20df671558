"""The kinds of pages that are no article, what the user is told of each, and how much honest text each may carry."""

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


WORDS = {
    PageKind.SCRIPT_SHELL: (
        "This page is an empty shell: its text appears only when its scripts run. "
        "Open it in your browser. Paste the text that you see there."
    ),
    PageKind.BOT_CHECK: (
        "This page is a check for robots (a captcha or a block); the text is behind it. "
        "Open it in your browser and pass the check. Paste the text that follows."
    ),
    PageKind.CONSENT: (
        "This page is a cookie or consent notice; the text is behind it. "
        "Answer the notice in your browser. Paste the text that follows."
    ),
    PageKind.LOGIN: (
        "This page is a login form; the text is behind it. Log in yourself. Paste the text that you see then."
    ),
    PageKind.PAYWALL: (
        "This article is for subscribers, and next to nothing of it can be read without paying. "
        "If you subscribe, open it yourself. Paste the text."
    ),
    PageKind.REMOVED: (
        "The site says that this text was deleted or may not be shown any more. "
        "Look for another copy. Paste its text if you have it."
    ),
    PageKind.NOT_FOUND: (
        "The site says that this page is not found (a 404 page). "
        "Check the address, or look for where the text is now. Paste the text if you have it."
    ),
    PageKind.REGION: (
        "The site does not show this page in the country that we read it from. "
        "Paste the text if you can open it yourself."
    ),
    PageKind.SERVER_ERROR: (
        "The site is down, in maintenance or broken: this page is its error message. "
        "Try again later. Paste the text if you have it."
    ),
    PageKind.PARKED: (
        "This domain is parked or for sale; there is no article here any more. "
        "Check the address. Paste the text if you have it."
    ),
    PageKind.NO_RESULTS: (
        "This page is a search that found nothing. "
        "Capture the page that you were looking for. Paste its text if that fails."
    ),
    PageKind.DONE_NOTE: (
        "This page only confirms something (a subscription, a message, a payment); there is nothing to read in it. "
        "Capture the article itself. Paste its text if it has no page."
    ),
    PageKind.LINK_LIST: (
        "This page is a list of links (a home page, a tag, a directory) with no article of its own. "
        "Capture the article that you mean. Paste its text if that fails."
    ),
    PageKind.FEED: (
        "This page shows only the beginnings of several articles. "
        "Capture the one that you mean. Paste its text if that fails."
    ),
    PageKind.NOTICE: (
        "This page is a notice that stands before the text (an age check, an app, another browser, a waiting room, a "
        "missing permission). Pass it in your browser. Paste the text that follows."
    ),
}

PARTIAL = {
    PageKind.PAYWALL: "Only the beginning of the article is here; the rest is for subscribers.",
    PageKind.LOGIN: "Only the beginning of the article is here; the rest is behind a login.",
}


class Bearable(NamedTuple):
    """How much text of its own, in units, a page of this kind may carry: by default, and if its title says so too."""

    alone: int
    titled: int


# A unit is a Latin letter; a Chinese or Japanese character says as much as three. A sentence is some 80 units.
# A shell and a consent notice stand alone or are furniture; an error page comments itself; a login page advertises.
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
