"""Types of the fields that rows of several desks have, and of those that the engine writes."""

from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, TypedDict, TypeVar, cast

AnyRow = TypeVar("AnyRow", bound=Mapping[str, Any])


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
