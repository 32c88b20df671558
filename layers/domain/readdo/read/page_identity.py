"""Detect links to the same page, as far as links alone tell."""

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
# Parameters that track the reader and do not select content.
_TRACKING = re.compile(
    r"utm_\w+|(?:fb|g|d|y|tw|tt)clid|msclkid|gclsrc|wbraid|gbraid|igsh(?:id)?|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|ref_src"
    r"|vero_id|oly_(?:anon|enc)_id|spm(?:_id_from)?|scm|vd_source|share_(?:source|medium|token|from|tag|plat)|cmpid",
    re.IGNORECASE,
)
# These identify an article on WeChat. The other parameters describe who shared it.
_NAMES_AN_ARTICLE = {"mp.weixin.qq.com": ("__biz", "mid", "idx", "sn")}


def page_of(url: str) -> str:
    """The link without the parts that do not change the page. Equal for the same page."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    return urlunsplit((parts.scheme, _place(parts, host), parts.path.rstrip("/"), _query(parts, host), _route(parts)))


def _place(parts: SplitResult, host: str) -> str:
    address = f"[{host}]" if ":" in host else host
    try:
        port = parts.port
    except ValueError:  # the port is not a valid number: the link is kept as the user gave it
        return parts.netloc.lower()
    return address if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{address}:{port}"


def _query(parts: SplitResult, host: str) -> str:
    parameters = [part for part in parts.query.split("&") if part and not _TRACKING.fullmatch(part.partition("=")[0])]
    names = _NAMES_AN_ARTICLE.get(host)
    if names and any(part.startswith("__biz=") for part in parameters):
        parameters = [part for part in parameters if part.partition("=")[0] in names]
    return "&".join(parameters)


def _route(parts: SplitResult) -> str:
    """A fragment is a position on the page, but `#/…` and `#!…` are pages of an application."""
    return parts.fragment if parts.fragment.startswith(("/", "!")) else ""
