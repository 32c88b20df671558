"""What a new token may be: no more than the one that asks for it, and not without end in number."""

from collections.abc import Iterable

from readdo.store import tokens
from readdo.store.table import DynamoTable
from readdo.store.tokens import Bearer
from readdo.web.errors import ApiError


class TokensFull(ApiError):
    """No more tokens than there may be."""


def allow(table: DynamoTable, bearer: Bearer, scopes: Iterable[str], now: str) -> None:
    within(bearer, scopes)
    if len(tokens.list_tokens(table, bearer.owner, now)) >= tokens.TOKENS_MAX:
        words = f"You have {tokens.TOKENS_MAX} tokens already. Revoke one that is no longer used."
        raise TokensFull(409, "STATE_CONFLICT", words)


def within(bearer: Bearer, scopes: Iterable[str]) -> None:
    more = sorted(set(scopes) - bearer.scopes)
    if more:
        raise ApiError(
            403, "FORBIDDEN", f"This token lacks {', '.join(more)} itself, so it cannot give that to another."
        )
