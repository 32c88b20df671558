"""Limits of new tokens: the scopes of the token that creates them, and their number."""

from collections.abc import Iterable

from readdo.errors import Rejected
from readdo.store import tokens
from readdo.store.table import DynamoTable
from readdo.store.tokens import Bearer
from readdo.web.errors import ApiError


class TokensFull(Rejected):
    """The owner has the maximum number of tokens."""

    key = "rejected.tokens_full"


def allow(table: DynamoTable, bearer: Bearer, scopes: Iterable[str], now: str) -> None:
    within(bearer, scopes)
    if len(tokens.list_tokens(table, bearer.owner, now)) >= tokens.TOKENS_MAX:
        raise TokensFull(limit=tokens.TOKENS_MAX)


def within(bearer: Bearer, scopes: Iterable[str]) -> None:
    missing = sorted(set(scopes) - bearer.scopes)
    if missing:
        raise ApiError(403, "FORBIDDEN", f"This token lacks the scope {', '.join(missing)}, so it cannot grant it.")
