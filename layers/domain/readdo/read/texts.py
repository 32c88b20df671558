"""Pasted texts: short ones in a row, long ones in S3. Named by their digest and never changed."""

from typing import NamedTuple

from readdo import files
from readdo.lifecycle.write import Key, Table, Write
from readdo.read import item_keys


class StoredText(NamedTuple):
    ref: str  # the reference on the item
    beside: tuple[Write, ...]  # to write in the transaction of the item


def keep(owner: str, item_id: str, text: str) -> StoredText:
    """Store a text for its item.

    A short text needs no call to S3, and nothing remains if the item's write is refused.
    """
    body = text.encode("utf-8", "replace")
    name = files.sha256(body)[:32]
    if len(body) <= files.INLINE_BYTES:
        key = item_keys.text(owner, item_id, name)
        return StoredText(key.sk, (Write(key, "put", row={"text": body.decode()}),))
    object_key = f"content/{owner}/{item_id}/{name}"
    files.put_once(object_key, body, "text/plain; charset=utf-8")
    return StoredText(object_key, ())


def read(table: Table, owner: str, item_id: str, ref: str) -> bytes:
    if not _is_in_row(ref):
        return files.get(ref)
    row = table.get(Key(item_keys.item_partition(owner, item_id), ref))
    if row is None:
        raise files.ObjectMissing(ref)
    return str(row["text"]).encode()


def forget(ref: str) -> None:
    """Delete the text of an item that was not written."""
    if not _is_in_row(ref):
        files.remove(ref)


def _is_in_row(ref: str) -> bool:
    return ref.startswith(item_keys.TEXT_PREFIX)
