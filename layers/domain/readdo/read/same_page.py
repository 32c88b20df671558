"""Whether two links lead to the same page, as far as links can tell."""

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
# What tells a site where its reader came from, and nothing of what is read.
_TRACKING = re.compile(
    r"utm_\w+|(?:fb|g|d|y|tw|tt)clid|msclkid|gclsrc|wbraid|gbraid|igsh(?:id)?|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|ref_src"
    r"|vero_id|oly_(?:anon|enc)_id|spm(?:_id_from)?|scm|vd_source|share_(?:source|medium|token|from|tag|plat)|cmpid",
    re.IGNORECASE,
)
# An article on WeChat is named by these; all else in its links is about who shared it where.
_NAMES_AN_ARTICLE = {"mp.weixin.qq.com": ("__biz", "mid", "idx", "sn")}


def page_of(url: str) -> str:
    """The link without what does not change the page: the same text for the same page."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    return urlunsplit((parts.scheme, _place(parts, host), parts.path.rstrip("/"), _query(parts, host), _route(parts)))


def _place(parts: SplitResult, host: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    try:
        port = parts.port
    except ValueError:  # no number, or too large a one: it leads nowhere, but it is the user's link
        return parts.netloc.lower()
    return shown if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{shown}:{port}"


def _query(parts: SplitResult, host: str) -> str:
    kept = [part for part in parts.query.split("&") if part and not _TRACKING.fullmatch(part.partition("=")[0])]
    names = _NAMES_AN_ARTICLE.get(host)
    if names and any(part.startswith("__biz=") for part in kept):
        kept = [part for part in kept if part.partition("=")[0] in names]
    return "&".join(kept)


def _route(parts: SplitResult) -> str:
    """A fragment names a place on the page; but `#/…` and `#!…` name a page of their own within an application."""
    return parts.fragment if parts.fragment.startswith(("/", "!")) else ""
