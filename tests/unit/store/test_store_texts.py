"""Pasted texts: a note lies in a row beside its item, a longer one in the bucket; both come back as they were."""

import boto3
import pytest

from readdo import files
from readdo.store import keys, texts
from support.world import World

LIMIT = 4096
LETTERS = ["x", "é", "字", "💥"]


def objects(world: World, item_id: str) -> list[str]:
    found = boto3.client("s3").list_objects_v2(Bucket=world.outputs["BucketName"], Prefix=f"content/me/{item_id}/")
    return [kept["Key"] for kept in found.get("Contents", [])]


def rows(world: World, item_id: str) -> list[str]:
    return [row["sk"] for row in world.table.query(keys.partition(keys.inside("me", item_id))).rows]


def stored(world: World, item_id: str, text: str) -> str:
    kept = texts.keep("me", item_id, text)
    for write in kept.beside:
        world.table.write(write)
    return kept.ref


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize(("size", "in_a_row"), [(1, True), (LIMIT, True), (LIMIT + 1, False), (300_000, False)])
def test_a_text_comes_back_as_it_was(deployed: World, letter: str, size: int, in_a_row: bool) -> None:
    width = len(letter.encode())
    text, item_id = letter * (size // width) + "x" * (size % width), f"text-{ord(letter)}-{size}"
    ref = stored(deployed, item_id, text)
    assert texts.read(deployed.table, "me", item_id, ref) == text.encode()
    assert (len(rows(deployed, item_id)), len(objects(deployed, item_id))) == ((1, 0) if in_a_row else (0, 1))


@pytest.mark.parametrize("length", [1, LIMIT])
def test_half_a_letter_does_not_stop_a_text(deployed: World, length: int) -> None:
    ref = stored(deployed, f"half-{length}", "\ud83d字" * length)
    assert texts.read(deployed.table, "me", f"half-{length}", ref).decode() == "?字" * length


def test_nothing_is_written_before_the_item_is(deployed: World) -> None:
    texts.keep("me", "later", "租约 lease")
    assert rows(deployed, "later") == []
    assert objects(deployed, "later") == []


@pytest.mark.parametrize("text", ["note", "字" * LIMIT])
def test_the_same_text_twice_is_kept_once(deployed: World, text: str) -> None:
    item_id = f"twice-{len(text)}"
    assert stored(deployed, item_id, text) == stored(deployed, item_id, text)
    assert len(rows(deployed, item_id)) + len(objects(deployed, item_id)) == 1


@pytest.mark.parametrize("text", ["note", "字" * LIMIT])
def test_what_is_there_no_more_is_said_to_be_gone(deployed: World, text: str) -> None:
    ref = texts.keep("me", "kept", text).ref
    texts.forget(ref)
    with pytest.raises(files.ObjectMissing):
        texts.read(deployed.table, "me", "kept", ref)
