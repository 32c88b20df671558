"""Authentication by bearer tokens, and the scopes that each call needs."""

import re
from collections.abc import Mapping

from readdo import clock
from readdo.store import tokens
from readdo.store.table import DynamoTable
from readdo.store.tokens import Bearer
from readdo.web.errors import ApiError

CACHE_SECONDS = 60  # a revoked token may work for this long in a warm function
CACHE_SIZE = 256
_known: dict[str, tuple[str, Bearer | None]] = {}

_HEADER = "Send the header 'Authorization: Bearer <token>'."
# Writes whose responses or errors show stored data, such as the words of a text or the reason of a blocked task.
_READS_TOO = re.compile(
    r"/webhooks|/tasks/|/runs/|/items/[^/]+/(?:todos|artifacts)/|/imports/[^/]+/(?:pause|resume|cancel)"
)
_ONLY_LOOKS = ("GET", "HEAD")


def scopes_of(method: str, path: str) -> tuple[str, ...]:
    """The scopes that a call needs."""
    if path.startswith("/tokens"):  # by prefix: the router ignores a trailing newline
        return ("tokens",)
    if method in _ONLY_LOOKS:
        return ("read",)
    return ("write", "read") if _READS_TOO.match(path) else ("write",)


def bearer(table: DynamoTable, headers: Mapping[str, str], *scopes: str) -> Bearer:
    scheme, _, secret = headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise ApiError(401, "UNAUTHENTICATED", f"This call needs a token. {_HEADER}")
    found = _look_up(table, secret.strip())
    if found is None:
        raise ApiError(401, "UNAUTHENTICATED", f"This token is unknown, revoked or expired. {_HEADER}")
    for scope in (scope for scope in scopes if scope not in found.scopes):
        raise ApiError(403, "FORBIDDEN", f"This token lacks the scope '{scope}'. Use a token that has it.")
    return found


def _look_up(table: DynamoTable, secret: str) -> Bearer | None:
    now = clock.now()
    until, found = _known.get(secret, ("", None))
    if until <= now or (found and found.expires_at <= now):
        found = tokens.bearer_of(table, secret, now)
        if len(_known) >= CACHE_SIZE:
            _known.clear()
        if found:  # unknown tokens are not cached: one may be created a moment later
            _known[secret] = (clock.after(now, CACHE_SECONDS), found)
    return found


def forget() -> None:
    """Empty the cache, for a process that switches tables."""
    _known.clear()
