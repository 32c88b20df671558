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
_cache: dict[str, tuple[str, Bearer | None]] = {}

_HEADER = "Send the header 'Authorization: Bearer <token>'."
# Writes whose responses or errors show stored data, such as the words of a text or the reason of a blocked task.
_NEEDS_READ = re.compile(
    r"/webhooks|/tasks/|/runs/|/items/[^/]+/(?:todos|artifacts)/|/imports/[^/]+/(?:pause|resume|cancel)"
)
_READ_METHODS = ("GET", "HEAD")


def scopes_of(method: str, path: str) -> tuple[str, ...]:
    """The scopes that a call needs."""
    if path.startswith("/tokens"):  # by prefix, as a path may have more behind it
        return ("tokens",)
    if method in _READ_METHODS:
        return ("read",)
    return ("write", "read") if _NEEDS_READ.match(path) else ("write",)


def is_preflight(method: str, headers: Mapping[str, str]) -> bool:
    """True for the question of a browser whether another origin may call. It has no token.

    API Gateway answers it itself only without a `$default` route.
    """
    return method == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers


def bearer(table: DynamoTable, headers: Mapping[str, str], *scopes: str) -> Bearer:
    scheme, _, secret = headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise ApiError(401, "UNAUTHENTICATED", f"This call needs a token. {_HEADER}")
    token = _look_up(table, secret.strip())
    if token is None:
        raise ApiError(401, "UNAUTHENTICATED", f"This token is unknown, revoked or expired. {_HEADER}")
    for scope in (scope for scope in scopes if scope not in token.scopes):
        raise ApiError(403, "FORBIDDEN", f"This token lacks the scope '{scope}'. Use a token that has it.")
    return token


def _look_up(table: DynamoTable, secret: str) -> Bearer | None:
    now = clock.now()
    until, token = _cache.get(secret, ("", None))
    if until <= now or (token and token.expires_at <= now):
        token = tokens.bearer_of(table, secret, now)
        if len(_cache) >= CACHE_SIZE:
            _cache.clear()
        if token:  # unknown tokens are not cached: one may be created a moment later
            _cache[secret] = (clock.after(now, CACHE_SECONDS), token)
    return token


def forget() -> None:
    """Empty the cache, for a process that switches tables."""
    _cache.clear()
