"""Whether an address may be told anything, as far as it says itself. Where it leads is looked at when it is asked."""

import ipaddress
import os
import re

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from readdo.net import address

URL_MAX = 2000
_OURS = ("localhost", "local", "internal", "intranet", "lan", "home", "arpa", "onion", "invalid", "test")
_NUMBER = re.compile(r"0x[0-9a-f]*|\d+", re.IGNORECASE)


def loopback_allowed() -> bool:
    """Said by whoever runs it on their own machine."""
    return os.environ.get("READDO_ALLOW_LOOPBACK") == "1"


def problem(url: str, *, loopback: bool = False) -> str:
    """What is wrong with it, as the end of a sentence that begins with its name; nothing if it will do."""
    if len(url) > URL_MAX:
        return f"is longer than {URL_MAX:,} characters"
    if not url.isascii() or re.search(r"[\x00-\x20\x7f\\]", url):
        return "holds a blank, a backslash or a letter that must be written as %XX (in the host: as xn--…)"
    try:
        parts = parse_url(url)
    except LocationParseError:
        return "cannot be read as a web address"
    host = (parts.host or "").strip("[]").rstrip(".")
    at_home = loopback and _is_loopback(host)
    if parts.scheme != "https" and not (at_home and parts.scheme == "http"):
        return "must begin with https://"
    if "@" in re.split(r"[/?#]", url.split("://", 1)[-1])[0]:
        return "must not carry a user name or password"
    if "#" in url:
        return "must not have a part behind #"
    if not at_home and parts.port not in (None, 443):
        return f"names port {parts.port}, and only 443 is asked"
    return "" if at_home or _may_be_public(host) else "is not an address on the public web"


def _may_be_public(host: str) -> bool:
    literal = _literal(host)
    if literal is not None:
        return address.is_public(literal)
    labels = host.lower().split(".")
    if len(labels) < 2 or not all(labels) or labels[-1] in _OURS:
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
