"""Limits of new tokens: the scopes of the token that creates them, and their number."""

from collections.abc import Iterable

from readdo.store import tokens
from readdo.store.table import DynamoTable
from readdo.store.tokens import Bearer
from readdo.web.errors import ApiError


class TokensFull(ApiError):
    """The owner has the maximum number of tokens."""


def allow(table: DynamoTable, bearer: Bearer, scopes: Iterable[str], now: str) -> None:
    within(bearer, scopes)
    if len(tokens.list_tokens(table, bearer.owner, now)) >= tokens.TOKENS_MAX:
        words = f"You have {tokens.TOKENS_MAX} tokens, which is the limit. Revoke one that you no longer use."
        raise TokensFull(409, "STATE_CONFLICT", words)


def within(bearer: Bearer, scopes: Iterable[str]) -> None:
    missing = sorted(set(scopes) - bearer.scopes)
    if missing:
        raise ApiError(403, "FORBIDDEN", f"This token lacks the scope {', '.join(missing)}, so it cannot grant it.")
