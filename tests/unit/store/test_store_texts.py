"""Pasted texts: short ones are stored in a row, longer ones in the bucket, both unchanged."""

import boto3
import pytest

from readdo import files
from readdo.read import item_keys, item_rows
from readdo.store import keys
from support.world import World

LIMIT = 4096
LETTERS = ["x", "é", "字", "💥"]


def objects(world: World, item_id: str) -> list[str]:
    listing = boto3.client("s3").list_objects_v2(Bucket=world.outputs["BucketName"], Prefix=f"content/me/{item_id}/")
    return [entry["Key"] for entry in listing.get("Contents", [])]


def rows(world: World, item_id: str) -> list[str]:
    return [row["sk"] for row in world.table.query(keys.partition(item_keys.item_partition("me", item_id))).rows]


def store(world: World, item_id: str, text: str) -> str:
    text_write = item_rows.keep("me", item_id, text)
    for write in text_write.beside:
        world.table.write(write)
    return text_write.ref


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize(("size", "in_a_row"), [(1, True), (LIMIT, True), (LIMIT + 1, False), (300_000, False)])
def test_text_is_stored_unchanged(deployed: World, letter: str, size: int, in_a_row: bool) -> None:
    width = len(letter.encode())
    text, item_id = letter * (size // width) + "x" * (size % width), f"text-{ord(letter)}-{size}"
    ref = store(deployed, item_id, text)
    assert item_rows.read(deployed.table, "me", item_id, ref) == text.encode()
    assert (len(rows(deployed, item_id)), len(objects(deployed, item_id))) == ((1, 0) if in_a_row else (0, 1))


@pytest.mark.parametrize("length", [1, LIMIT])
def test_lone_surrogate_is_replaced(deployed: World, length: int) -> None:
    ref = store(deployed, f"half-{length}", "\ud83d字" * length)
    assert item_rows.read(deployed.table, "me", f"half-{length}", ref).decode() == "?字" * length


def test_keep_writes_nothing_before_the_item(deployed: World) -> None:
    item_rows.keep("me", "later", "租约 lease")
    assert rows(deployed, "later") == []
    assert objects(deployed, "later") == []


@pytest.mark.parametrize("text", ["note", "字" * LIMIT])
def test_same_text_is_stored_once(deployed: World, text: str) -> None:
    item_id = f"twice-{len(text)}"
    assert store(deployed, item_id, text) == store(deployed, item_id, text)
    assert len(rows(deployed, item_id)) + len(objects(deployed, item_id)) == 1


@pytest.mark.parametrize("text", ["note", "字" * LIMIT])
def test_forgotten_text_is_missing(deployed: World, text: str) -> None:
    ref = item_rows.keep("me", "kept", text).ref
    item_rows.forget(ref)
    with pytest.raises(files.ObjectMissing):
        item_rows.read(deployed.table, "me", "kept", ref)
