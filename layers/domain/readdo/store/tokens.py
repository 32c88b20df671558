"""Tokens: 256 random bits, of which only the SHA-256 is kept; scoped, revocable, and they end."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readdo import clock
from readdo.lifecycle.advance import advance_all
from readdo.lifecycle.write import Table, Write, put_new
from readdo.store import keys

PREFIX = "rdo_"
SCOPES = ("read", "write")
KEPT_DAYS = 365


@dataclass(frozen=True)
class Bearer:
    owner: str
    token_id: str
    scopes: frozenset[str]
    expires_at: str


def issue(table: Table, owner: str, name: str, scopes: Sequence[str] = SCOPES, days: int = KEPT_DAYS) -> str:
    """The secret is shown once, here; the table cannot give it back."""
    secret = PREFIX + secrets.token_urlsafe(32)
    hashed = _hash(secret)
    at = clock.now()
    expires = clock.after(at, days * 86_400)
    row: dict[str, Any] = {"owner": owner, "id": hashed[:12], "name": name, "scopes": list(scopes), "created_at": at}
    row |= {"expires_at": expires, "expires": clock.epoch_seconds(expires)}
    advance_all(
        table,
        put_new(keys.token(hashed), row),
        put_new(keys.token_listed(owner, hashed[:12]), {**row, "hash": hashed}),
    )
    return secret


def bearer_of(table: Table, secret: str, now: str) -> Bearer | None:
    hashed = _hash(secret)
    row = table.get(keys.token(hashed), consistent=False)
    if row is None or row["expires_at"] <= now:
        return None
    return Bearer(row["owner"], row["id"], frozenset(row["scopes"]), row["expires_at"])


def revoke(table: Table, owner: str, token_id: str) -> bool:
    listed = table.get(keys.token_listed(owner, token_id))
    if listed is None:
        return False
    advance_all(
        table,
        Write(keys.token(listed["hash"]), "delete"),
        Write(keys.token_listed(owner, token_id), "delete"),
    )
    return True


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
