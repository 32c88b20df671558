"""Where rows live. Every partition begins with its owner; only a token and a provider are found without one.

O#owner            I#id                item
O#owner            K#op#digest(key)    idempotency record
O#owner            T#digest            token, for its owner's list
O#owner            U#digest(page)      the item of a page
O#owner#I#id       C#digest            a short text that was pasted
O#owner#I#id       A#type#R#run        artifact of a run
O#owner#I#id       A#type#U#version    artifact as a user edited it
O#owner#I#id       X#digest(key)       export
O#owner#I#id       H#vVersion          history, older than what the item carried at that version
O#owner            B#day               tokens of a model that the owner's items used that day
T#sha256           T                   token, for whoever presents it
P#name             P                   a provider of models, and whether it answers
"""

from readdo.ids import digest
from readdo.lifecycle.conditions import Compare
from readdo.lifecycle.write import Key

DUE_INDEX, INBOX_INDEX = "due", "inbox"
DUE_SHARDS = 8
ITEM_PREFIX, EXPORT_PREFIX, TOKEN_PREFIX, TEXT_PREFIX = "I#", "X#", "T#", "C#"
LAST = "\uffff"


def owner(name: str) -> str:
    return f"O#{name}"


def item(owner_name: str, item_id: str) -> Key:
    return Key(owner(owner_name), f"{ITEM_PREFIX}{item_id}")


def inside(owner_name: str, item_id: str) -> str:
    """The partition of what belongs to an item."""
    return f"{owner(owner_name)}#I#{item_id}"


def text(owner_name: str, item_id: str, name: str) -> Key:
    return Key(inside(owner_name, item_id), f"{TEXT_PREFIX}{name}")


def of_run(owner_name: str, item_id: str, kind: str, run_id: str) -> Key:
    return Key(inside(owner_name, item_id), f"A#{kind}#R#{run_id}")


def of_user(owner_name: str, item_id: str, kind: str, version: int) -> Key:
    return Key(inside(owner_name, item_id), f"A#{kind}#U#{version:06d}")


def export(owner_name: str, item_id: str, export_key: str) -> Key:
    return Key(inside(owner_name, item_id), f"{EXPORT_PREFIX}{digest(export_key)}")


def older_history(owner_name: str, item_id: str, version: int) -> Key:
    """By the item's version, which only grows: times are told by clocks that differ."""
    return Key(inside(owner_name, item_id), f"H#v{version:010d}")


def once(owner_name: str, operation: str, key: str) -> Key:
    return Key(owner(owner_name), f"K#{operation}#{digest(key)}")


def page(owner_name: str, page_digest: str) -> Key:
    return Key(owner(owner_name), f"U#{page_digest}")


def token(secret_hash: str) -> Key:
    return Key(f"T#{secret_hash}", "T")


def token_listed(owner_name: str, token_id: str) -> Key:
    return Key(owner(owner_name), f"{TOKEN_PREFIX}{token_id}")


def budget(owner_name: str, day: str) -> Key:
    return Key(owner(owner_name), f"B#{day}")


def provider(name: str) -> Key:
    return Key(f"P#{name}", "P")


def stretch(prefix: str) -> tuple[str, str, str]:
    """All sort keys with this prefix, for a query's `between`."""
    return ("sk", prefix, prefix + LAST)


def due_shard(name: str) -> str:
    return str(int(digest(name), 16) % DUE_SHARDS)


def partition(pk: str) -> Compare:
    return Compare("pk", "=", pk)
