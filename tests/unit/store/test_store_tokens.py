"""Tokens: the table never holds the secret, and an expired or revoked token is not accepted."""

import hashlib

import boto3
import pytest

from readdo import clock
from readdo.lifecycle.write import Table, Write
from readdo.store import keys, tokens
from readdo.store.table import DynamoTable
from support.memory import MemoryTable
from support.world import World

NOW = clock.now()


@pytest.fixture(params=["double", "dynamo"])
def either(request: pytest.FixtureRequest) -> Table:
    selected: Table = MemoryTable() if request.param == "double" else request.getfixturevalue("table")
    return selected


def test_token_identifies_its_owner_and_scopes(either: Table) -> None:
    secret = tokens.issue(either, "me", "laptop", scopes=("read",), days=7)
    bearer = tokens.bearer_of(either, secret, NOW)
    assert bearer is not None
    assert (bearer.owner, bearer.scopes) == ("me", frozenset({"read"}))


def test_secret_is_long_random_and_prefixed() -> None:
    secrets = {tokens.issue(MemoryTable(), "me", "x") for _ in range(50)}
    assert len(secrets) == 50
    assert all(secret.startswith("rdo_") and len(secret) >= len("rdo_") + 43 for secret in secrets)  # 256 bits


def test_table_holds_only_the_hash_of_the_secret(deployed: World) -> None:
    secret = tokens.issue(deployed.table, "me", "laptop")
    everything = str(boto3.client("dynamodb").scan(TableName=deployed.table.name)["Items"])
    assert hashlib.sha256(secret.encode()).hexdigest() in everything
    assert secret not in everything
    assert secret.removeprefix("rdo_") not in everything


def test_token_expires(either: Table) -> None:
    now = clock.now()
    secret = tokens.issue(either, "me", "laptop", days=1)
    assert tokens.bearer_of(either, secret, clock.after(now, 86_400 - 60)) is not None
    assert tokens.bearer_of(either, secret, clock.after(now, 86_400 + 600)) is None


def test_time_to_live_of_a_token_is_its_expiry(either: Table) -> None:
    secret = tokens.issue(either, "me", "laptop", days=1)
    row = either.get(keys.token(hashlib.sha256(secret.encode()).hexdigest())) or {}
    assert row["expires"] == clock.epoch_seconds(row["expires_at"])


def token_id(table: Table, secret: str) -> str:
    bearer = tokens.bearer_of(table, secret, NOW)
    assert bearer is not None
    return bearer.token_id


def test_revoked_token_is_refused_and_not_listed(either: Table) -> None:
    valid, revoked = tokens.issue(either, "me", "kept"), tokens.issue(either, "me", "gone")
    revoked_id = token_id(either, revoked)
    assert tokens.revoke(either, "me", revoked_id) is True
    assert tokens.bearer_of(either, revoked, NOW) is None
    assert either.get(keys.token_listed("me", revoked_id)) is None
    assert tokens.bearer_of(either, valid, NOW) is not None


def test_token_is_revoked_only_by_its_owner_and_once(either: Table) -> None:
    secret = tokens.issue(either, "me", "laptop")
    name = token_id(either, secret)
    assert tokens.revoke(either, "you", name) is False
    assert tokens.bearer_of(either, secret, NOW) is not None
    assert tokens.revoke(either, "me", name) is True
    assert tokens.revoke(either, "me", name) is False


def test_token_removed_by_ttl_can_still_be_revoked(either: Table) -> None:
    """DynamoDB removes the two rows of an expired token at different times, up to two days apart."""
    secret = tokens.issue(either, "me", "laptop", days=0)
    hashed = hashlib.sha256(secret.encode()).hexdigest()
    either.write(Write(keys.token(hashed), "delete"))
    tokens.revoke(either, "me", hashed[:12])
    assert either.get(keys.token_listed("me", hashed[:12])) is None


@pytest.mark.parametrize("secret", ["", "rdo_", "x" * 10_000, "\ud800", "字", "rdo_" + "\x00" * 43])
def test_malformed_token_is_refused(table: DynamoTable, secret: str) -> None:
    assert tokens.bearer_of(table, secret, NOW) is None
