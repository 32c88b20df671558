"""Whether a link leads to a page that can be read, and if not, why, in words."""

import re
from urllib.parse import quote, urlsplit

LINK_MAX = 2000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_BLANK = re.compile(r"\s")
_HALF = re.compile(r"[\ud800-\udfff]")
_MARKUP = re.compile(r"[<>\"]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,40}):(?!\d+(?:/|$))")  # what a port follows is a host
_WEB = re.compile(r"https?://[^\s/?#]", re.IGNORECASE)
_BROWSERS = (
    *("about", "brave", "chrome", "chrome-extension", "chrome-native", "edge", "moz-extension", "opera", "resource"),
    *("safari-extension", "safari-web-extension", "view-source", "vivaldi", "ms-browser-extension"),
)
_WHY = {
    "javascript": "It is a script to be run in a browser (a bookmarklet), not a page. Leave it out.",
    "file": "It leads to a file on one computer, which cannot be read from here. Paste its text instead.",
    "place": "It is a search in Firefox's own bookmarks, not a page. Leave it out.",
    "mailto": "It leads to a mail, not to a page. Paste the mail's text instead.",
    "data": "It carries a page within itself and leads nowhere. Paste the page's text instead.",
    "blob": "It led to something that only that browser held, and only then. Leave it out.",
    "tel": "It is a telephone number, not a page. Leave it out.",
    "feed": "It leads to a feed, not to a page. Save the feed's articles instead.",
    "ftp": "It leads to an FTP server; only http and https can be read.",
    "instapaper": "It is kept in Instapaper only. Open it there and paste its text.",
    **dict.fromkeys(_BROWSERS, "It is a page of the browser itself, which only that browser can show. Leave it out."),
}


class BadLink(ValueError):
    pass


def link(value: str) -> str:
    """The link as browsers would take it. BadLink says why it is none."""
    shown = _CONTROL.sub("", _HALF.sub("\ufffd", value[: 4 * LINK_MAX])).strip()
    shown = _BLANK.sub(lambda found: quote(found[0]), shown)
    if shown.startswith("//") or shown[:4].lower() == "www.":
        shown = "https://" + shown.lstrip("/")
    if not shown:
        raise BadLink("It has no link. Add the page's address, or leave the line out.")
    if not _WEB.match(shown):
        raise BadLink(_why(shown))
    if len(shown) > LINK_MAX or len(value) > 4 * LINK_MAX:
        raise BadLink(f"Its link is longer than {LINK_MAX:,} characters. Find a shorter link to the same page.")
    if _MARKUP.search(shown):
        raise BadLink(
            "Its link runs on into other text: a quotation mark is missing there. Copy the page's address anew."
        )
    return _readable(shown)


def _why(shown: str) -> str:
    scheme = _SCHEME.match(shown)
    if scheme is None:
        return "Its link does not start with http:// or https://. Put it in front, if it is a page's address."
    name = scheme[1].lower()
    if name in ("http", "https"):
        return "Its link names no site. Look up the page's whole address."
    return _WHY.get(
        name, f"Its link starts with {name}: and leads to no page of the web; only http and https can be read."
    )


def _readable(shown: str) -> str:
    try:
        parts = urlsplit(shown)
    except ValueError:
        raise BadLink("The site in its link cannot be read. Copy the page's address anew.") from None
    if parts.username is not None or parts.password is not None:
        raise BadLink("Its link carries a user name or password, which would be shown with the card. Take it out.")
    return shown
