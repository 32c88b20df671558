"""Keys, and fields of rows, that all desks share. Each desk has its own module of keys.

Every partition key starts with the owner, except those of tokens and providers. IAM policies can only tell rows apart
by the partition key. The budget has a separate partition, so that the function that reads untrusted pages cannot change
it.

O#owner            K#op#digest(key)    idempotency record
O#owner            T#digest            token, for the list of its owner
T#sha256           T                   token, for authentication
O#owner#R          RUN#id              run of a task, of the pipeline of an item, or of a job
B#owner            B#day               model tokens that the owner used that day
P#name             P                   circuit breaker of a model provider
"""

from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, TypedDict, TypeVar, cast

from readdo.clock import digest
from readdo.lifecycle.write import Compare, Key

DUE_INDEX, INBOX_INDEX, QUEUE_INDEX = "due", "inbox", "queue"
DUE_SHARDS = 8
NOT_DUE = ("due_shard", "due_at")
TOKEN_PREFIX, RUN_PREFIX, LAST = "T#", "RUN#", "\uffff"
AnyRow = TypeVar("AnyRow", bound=Mapping[str, Any])


def owner(name: str) -> str:
    return f"O#{name}"


def idempotency(owner_name: str, operation: str, key: str) -> Key:
    return Key(owner(owner_name), f"K#{operation}#{digest(key)}")


def token(secret_hash: str) -> Key:
    return Key(f"T#{secret_hash}", "T")


def token_listed(owner_name: str, token_id: str) -> Key:
    return Key(owner(owner_name), f"{TOKEN_PREFIX}{token_id}")


def budget(owner_name: str, day: str) -> Key:
    return Key(f"B#{owner_name}", f"B#{day}")


def provider(name: str) -> Key:
    return Key(f"P#{name}", "P")


def runs(owner_name: str) -> str:
    return f"{owner(owner_name)}#R"


def run(owner_name: str, run_id: str) -> Key:
    return Key(runs(owner_name), f"{RUN_PREFIX}{run_id}")


def stretch(prefix: str) -> tuple[str, str, str]:
    """The range of all sort keys with a prefix, for `between` of a query."""
    return ("sk", prefix, prefix + LAST)


def due_shard(name: str) -> str:
    return str(int(digest(name), 16) % DUE_SHARDS)


def partition(pk: str) -> Compare:
    return Compare("pk", "=", pk)


class DueFields(TypedDict):
    due_shard: str
    due_at: str


class MaybeDue(TypedDict):
    """Both are missing if the row is not due."""

    due_shard: NotRequired[str]
    due_at: NotRequired[str]


class Expiry(TypedDict):
    expires_at: str
    expires: int


class StatusFields(TypedDict):
    """Written with every transition. A row that was only planned has no key yet."""

    pk: NotRequired[str]
    sk: NotRequired[str]
    status: str
    version: int
    updated_at: str
    last_write: NotRequired[str]


class TokenRow(Expiry):
    owner: str
    id: str
    name: str
    scopes: list[str]
    created_at: str
    hash: NotRequired[str]  # only in the list of the owner


class HistoryEntry(TypedDict):
    at: str
    by: str
    what: str
    to: str
    run: NotRequired[str]


class FileFields(TypedDict):
    at: str
    bytes: int
    sha256: str


def without_empty(fields: AnyRow) -> AnyRow:
    """Only for fields that may all be missing."""
    return cast("AnyRow", {name: value for name, value in fields.items() if value})


def shown(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The fields of a row that a view has, in the order of the names."""
    return {name: row[name] for name in names if name in row}


def due(name: str, at: str) -> DueFields:
    """The attributes of a row that is due at a time. Remove NOT_DUE to make a row not due."""
    return {"due_shard": due_shard(name), "due_at": at}
