"""What somebody pasted: a note in a row beside its item, what is longer in S3. Named by what it says, never changed."""

from typing import NamedTuple

from readdo import files
from readdo.lifecycle.write import Key, Table, Write
from readdo.store import keys


class StoredText(NamedTuple):
    ref: str  # what the item knows it by
    beside: tuple[Write, ...]  # written with the item or not at all


def keep(owner: str, item_id: str, text: str) -> StoredText:
    """A note costs a capture no second call, and leaves nothing behind if its item's write is refused."""
    body = text.encode("utf-8", "replace")
    name = files.sha256(body)[:32]
    if len(body) <= files.INLINE_BYTES:
        place = keys.text(owner, item_id, name)
        return StoredText(place.sk, (Write(place, "put", row={"text": body.decode()}),))
    at = f"content/{owner}/{item_id}/{name}"
    files.put_once(at, body, "text/plain; charset=utf-8")
    return StoredText(at, ())


def read(table: Table, owner: str, item_id: str, ref: str) -> bytes:
    if not _in_a_row(ref):
        return files.get(ref)
    row = table.get(Key(keys.inside(owner, item_id), ref))
    if row is None:
        raise files.ObjectMissing(ref)
    return str(row["text"]).encode()


def forget(ref: str) -> None:
    """The text of an item that was not written."""
    if not _in_a_row(ref):
        files.remove(ref)


def _in_a_row(ref: str) -> bool:
    return ref.startswith(keys.TEXT_PREFIX)
