"""API tokens: 256 random bits, stored as SHA-256, with scopes and an expiry."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from readdo import clock
from readdo.lifecycle.advance import advance_all
from readdo.lifecycle.write import Key, Table, Write, put_new
from readdo.store import keys
from readdo.store.keys import TokenRow, shown
from readdo.store.table import DynamoTable

PREFIX = "rdo_"
SCOPES = ("read", "write", "tokens")  # `tokens`: may create, list and revoke tokens of its owner
TOKENS_MAX = 100
ID = re.compile(r"[0-9a-f]{12}")
_VIEW_FIELDS = ("id", "name", "scopes", "created_at", "expires_at")
KEPT_DAYS = 365


@dataclass(frozen=True)
class Bearer:
    owner: str
    token_id: str
    scopes: frozenset[str]
    expires_at: str


@dataclass(frozen=True)
class Token:
    """A new token. Its secret is not stored, so it can be shown only once."""

    shown: dict[str, Any]
    secret: str
    writes: tuple[Write, ...]


def new(owner: str, name: str, scopes: Sequence[str] = SCOPES, days: int = KEPT_DAYS) -> Token:
    secret = PREFIX + secrets.token_urlsafe(32)
    hashed = _hash(secret)
    at = clock.now()
    expires = clock.after(at, days * 86_400)
    row: TokenRow = {
        "owner": owner,
        "id": hashed[:12],
        "name": name,
        "scopes": list(scopes),
        "created_at": at,
        "expires_at": expires,
        "expires": clock.epoch_seconds(expires),
    }
    first = put_new(keys.token(hashed), row)
    return Token(_view(row), secret, (first, put_new(keys.token_listed(owner, hashed[:12]), {**row, "hash": hashed})))


def issue(table: Table, owner: str, name: str, scopes: Sequence[str] = SCOPES, days: int = KEPT_DAYS) -> str:
    """Create a token and return its secret."""
    token = new(owner, name, scopes, days)
    advance_all(table, *token.writes)
    return token.secret


def list_tokens(table: DynamoTable, owner: str, now: str) -> list[dict[str, Any]]:
    """The valid tokens, newest first."""
    rows = table.query_all(keys.partition(keys.owner(owner)), keys.stretch(keys.TOKEN_PREFIX))
    valid = [_view(row) for row in map(_as_token, rows) if row["expires_at"] > now]
    return sorted(valid, key=lambda token: str(token["created_at"]), reverse=True)


def _view(row: TokenRow) -> dict[str, Any]:
    return shown(row, _VIEW_FIELDS)


def _as_token(row: dict[str, Any]) -> TokenRow:
    return cast("TokenRow", row)


def _token_row(table: Table, key: Key, *, consistent: bool = True) -> TokenRow | None:
    row = table.get(key, consistent=consistent)
    return _as_token(row) if row is not None else None


def bearer_of(table: Table, secret: str, now: str) -> Bearer | None:
    hashed = _hash(secret)
    row = _token_row(table, keys.token(hashed), consistent=False)
    if row is None or row["expires_at"] <= now:
        return None
    return Bearer(row["owner"], row["id"], frozenset(row["scopes"]), row["expires_at"])


def exists(table: Table, owner: str, token_id: str) -> bool:
    return table.get(keys.token_listed(owner, token_id)) is not None


def revoke(table: Table, owner: str, token_id: str) -> bool:
    row = _token_row(table, keys.token_listed(owner, token_id))
    if row is None:
        return False
    advance_all(
        table,
        Write(keys.token(row["hash"]), "delete"),
        Write(keys.token_listed(owner, token_id), "delete"),
    )
    return True


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
