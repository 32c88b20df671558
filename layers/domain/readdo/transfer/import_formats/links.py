"""Check links of an import."""

import re
from urllib.parse import quote, urlsplit

from readdo.messages import Message, message

LINK_MAX = 2000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_BLANK = re.compile(r"\s")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_MARKUP = re.compile(r"[<>\"]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,40}):(?!\d+(?:/|$))")  # `host:port` has no scheme
_WEB = re.compile(r"https?://[^\s/?#]", re.IGNORECASE)
_BROWSERS = (
    *("about", "brave", "chrome", "chrome-extension", "chrome-native", "edge", "moz-extension", "opera", "resource"),
    *("safari-extension", "safari-web-extension", "view-source", "vivaldi", "ms-browser-extension"),
)
# Scheme → message key.
_UNSUPPORTED = {
    "javascript": "import_line.bookmarklet",
    "file": "import_line.local_file",
    "place": "import_line.firefox_search",
    "mailto": "import_line.mail",
    "data": "import_line.data_url",
    "blob": "import_line.blob_url",
    "tel": "import_line.telephone",
    "feed": "import_line.feed",
    "ftp": "import_line.ftp",
    "instapaper": "import_line.instapaper_only",
    **dict.fromkeys(_BROWSERS, "import_line.browser_page"),
}


class BadLink(ValueError):
    pass


def link(value: str) -> str:
    """Normalise a link as browsers do. BadLink has the message if it is not valid."""
    url = _CONTROL.sub("", _SURROGATE.sub("\ufffd", value[: 4 * LINK_MAX])).strip()
    url = _BLANK.sub(lambda match: quote(match[0]), url)
    if url.startswith("//") or url[:4].lower() == "www.":
        url = "https://" + url.lstrip("/")
    if not url:
        raise BadLink(message("import_line.no_link"))
    if not _WEB.match(url):
        raise BadLink(_reason(url))
    if len(url) > LINK_MAX or len(value) > 4 * LINK_MAX:
        raise BadLink(message("import_line.link_too_long", n=LINK_MAX))
    if _MARKUP.search(url):
        raise BadLink(message("import_line.link_runs_on"))
    return _check_site(url)


def _reason(url: str) -> Message:
    scheme = _SCHEME.match(url)
    if scheme is None:
        return message("import_line.link_without_scheme")
    name = scheme[1].lower()
    if name in ("http", "https"):
        return message("import_line.link_without_site")
    if name in _UNSUPPORTED:
        return message(_UNSUPPORTED[name])
    return message("import_line.wrong_scheme", scheme=name)


def _check_site(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise BadLink(message("import_line.site_unreadable")) from None
    if parts.username is not None or parts.password is not None:
        raise BadLink(message("import_line.link_has_credentials"))
    return url
