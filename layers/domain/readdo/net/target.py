"""Validate a webhook's URL. Its IP addresses are checked only when the connection is made."""

import ipaddress
import os
import re

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from readdo.net import address

URL_MAX = 2000
_INTERNAL_DOMAINS = ("localhost", "local", "internal", "intranet", "lan", "home", "arpa", "onion", "invalid", "test")
_NUMBER = re.compile(r"0x[0-9a-f]*|\d+", re.IGNORECASE)


def loopback_allowed() -> bool:
    """True on a developer's machine."""
    return os.environ.get("READDO_ALLOW_LOOPBACK") == "1"


def find_problem(url: str, *, loopback: bool = False) -> str:
    """The problem of a URL, to follow the field's name in a sentence. Empty for a valid URL."""
    if len(url) > URL_MAX:
        return f"is longer than {URL_MAX:,} characters"
    if not url.isascii() or re.search(r"[\x00-\x20\x7f\\]", url):
        return "holds a blank, a backslash or a letter that must be written as %XX (in the host: as xn--…)"
    try:
        parts = parse_url(url)
    except LocationParseError:
        return "cannot be read as a web address"
    host = (parts.host or "").strip("[]").rstrip(".")
    is_local = loopback and _is_loopback(host)
    if parts.scheme != "https" and not (is_local and parts.scheme == "http"):
        return "must begin with https://"
    if "@" in re.split(r"[/?#]", url.split("://", 1)[-1])[0]:
        return "must not carry a user name or password"
    if "#" in url:
        return "must not have a part behind #"
    if not is_local and parts.port not in (None, 443):
        return f"names port {parts.port}, and only 443 is asked"
    return "" if is_local or _may_be_public(host) else "is not an address on the public web"


def _may_be_public(host: str) -> bool:
    literal = _literal(host)
    if literal is not None:
        return address.is_public(literal)
    labels = host.lower().split(".")
    if len(labels) < 2 or not all(labels) or labels[-1] in _INTERNAL_DOMAINS:
        return False
    return not _NUMBER.fullmatch(labels[-1]) and "%" not in host


def _is_loopback(host: str) -> bool:
    literal = _literal(host)
    return host == "localhost" if literal is None else literal.is_loopback


def _literal(host: str) -> address.Address | None:
    try:
        return None if "%" in host else address.parse(host)
    except (ValueError, ipaddress.AddressValueError):
        return None
