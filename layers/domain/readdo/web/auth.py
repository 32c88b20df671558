"""Who is asking. Every route needs a token; what it opens is its owner's alone."""

import re
from collections.abc import Mapping

from readdo import clock
from readdo.store import tokens
from readdo.store.table import DynamoTable
from readdo.store.tokens import Bearer
from readdo.web.errors import ApiError

CACHE_SECONDS = 60  # so long may a revoked token live in a warm function
CACHE_SIZE = 256
_known: dict[str, tuple[str, Bearer | None]] = {}

_HOW = "Send the header 'Authorization: Bearer <token>'."
# Writes that tell what is stored, in their answers or in their refusals: which words a text holds, why a task waits.
_READS_TOO = re.compile(
    r"/webhooks|/tasks/|/runs/|/items/[^/]+/(?:todos|artifacts)/|/imports/[^/]+/(?:pause|resume|cancel)"
)
_ONLY_LOOKS = ("GET", "HEAD")


def scopes_of(method: str, path: str) -> tuple[str, ...]:
    """What a token must have, all of it."""
    if path.startswith("/tokens"):  # whatever follows: the router takes a line break at the end for nothing
        return ("tokens",)
    if method in _ONLY_LOOKS:
        return ("read",)
    return ("write", "read") if _READS_TOO.match(path) else ("write",)


def bearer(table: DynamoTable, headers: Mapping[str, str], *scopes: str) -> Bearer:
    scheme, _, secret = headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise ApiError(401, "UNAUTHENTICATED", f"This call needs a token. {_HOW}")
    found = _look_up(table, secret.strip())
    if found is None:
        raise ApiError(401, "UNAUTHENTICATED", f"This token is unknown, revoked or past its end. {_HOW}")
    for scope in (scope for scope in scopes if scope not in found.scopes):
        raise ApiError(403, "FORBIDDEN", f"This token lacks the scope '{scope}', which this call needs. Use another.")
    return found


def _look_up(table: DynamoTable, secret: str) -> Bearer | None:
    now = clock.now()
    until, found = _known.get(secret, ("", None))
    if until <= now or (found and found.expires_at <= now):
        found = tokens.bearer_of(table, secret, now)
        if len(_known) >= CACHE_SIZE:
            _known.clear()
        if found:  # an unknown token is looked up each time: it may be made a moment later
            _known[secret] = (clock.after(now, CACHE_SECONDS), found)
    return found


def forget() -> None:
    """For a process that changes tables."""
    _known.clear()
