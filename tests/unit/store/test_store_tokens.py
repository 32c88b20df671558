"""Tokens: the table never holds the secret, and what is ended or revoked opens nothing."""

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
    found: Table = MemoryTable() if request.param == "double" else request.getfixturevalue("table")
    return found


def test_a_token_opens_what_it_was_made_for(either: Table) -> None:
    secret = tokens.issue(either, "me", "laptop", scopes=("read",), days=7)
    found = tokens.bearer_of(either, secret, NOW)
    assert found is not None
    assert (found.owner, found.scopes) == ("me", frozenset({"read"}))


def test_secrets_are_long_random_and_recognisable() -> None:
    secrets = {tokens.issue(MemoryTable(), "me", "x") for _ in range(50)}
    assert len(secrets) == 50
    assert all(secret.startswith("rdo_") and len(secret) >= len("rdo_") + 43 for secret in secrets)  # 256 bits


def test_the_table_holds_the_hash_and_nowhere_the_secret(deployed: World) -> None:
    secret = tokens.issue(deployed.table, "me", "laptop")
    everything = str(boto3.client("dynamodb").scan(TableName=deployed.table.name)["Items"])
    assert hashlib.sha256(secret.encode()).hexdigest() in everything
    assert secret not in everything
    assert secret.removeprefix("rdo_") not in everything


def test_a_token_ends_at_its_end(either: Table) -> None:
    now = clock.now()
    secret = tokens.issue(either, "me", "laptop", days=1)
    assert tokens.bearer_of(either, secret, clock.after(now, 86_400 - 60)) is not None
    assert tokens.bearer_of(either, secret, clock.after(now, 86_400 + 600)) is None


def test_the_sweep_of_rubbish_takes_it_no_earlier_than_its_end(either: Table) -> None:
    secret = tokens.issue(either, "me", "laptop", days=1)
    row = either.get(keys.token(hashlib.sha256(secret.encode()).hexdigest())) or {}
    assert row["expires"] == clock.epoch_seconds(row["expires_at"])


def token_id(table: Table, secret: str) -> str:
    found = tokens.bearer_of(table, secret, NOW)
    assert found is not None
    return found.token_id


def test_a_revoked_token_opens_nothing_and_is_in_no_list(either: Table) -> None:
    kept, gone = tokens.issue(either, "me", "kept"), tokens.issue(either, "me", "gone")
    name = token_id(either, gone)
    assert tokens.revoke(either, "me", name) is True
    assert tokens.bearer_of(either, gone, NOW) is None
    assert either.get(keys.token_listed("me", name)) is None
    assert tokens.bearer_of(either, kept, NOW) is not None


def test_a_token_is_revoked_by_its_owner_alone_and_once(either: Table) -> None:
    secret = tokens.issue(either, "me", "laptop")
    name = token_id(either, secret)
    assert tokens.revoke(either, "you", name) is False
    assert tokens.bearer_of(either, secret, NOW) is not None
    assert tokens.revoke(either, "me", name) is True
    assert tokens.revoke(either, "me", name) is False


def test_a_token_that_ttl_took_can_still_be_struck_off_the_list(either: Table) -> None:
    """DynamoDB removes the two rows of an ended token at different times, up to two days apart."""
    secret = tokens.issue(either, "me", "laptop", days=0)
    hashed = hashlib.sha256(secret.encode()).hexdigest()
    either.write(Write(keys.token(hashed), "delete"))
    tokens.revoke(either, "me", hashed[:12])
    assert either.get(keys.token_listed("me", hashed[:12])) is None


@pytest.mark.parametrize("secret", ["", "rdo_", "x" * 10_000, "\ud800", "字", "rdo_" + "\x00" * 43])
def test_what_was_never_a_token_opens_nothing(table: DynamoTable, secret: str) -> None:
    assert tokens.bearer_of(table, secret, NOW) is None
