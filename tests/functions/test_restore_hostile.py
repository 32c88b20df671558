"""Restores of invalid and hostile backup files."""

import io
import json
import struct
import zipfile
from typing import Any

import pytest

from functions.restores_in import api_view, restore_backup, token_of
from readdo import files
from readdo.read import item_keys
from readdo.store import keys
from readdo.transfer.restore import restore_run, zip_reader
from support.world import World


def pack_zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def members_of(body: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


NOT_OURS = {
    "no zip": b"not a zip at all" * 100,
    "an empty zip": pack_zip({}),
    "another zip": pack_zip({"a.txt": b"x"}),
    "another version": pack_zip({"readdo.json": b'{"format": "readdo-backup", "version": 99}'}),
    "not JSON": pack_zip({"readdo.json": b"\xff\xfe"}),
    "a list": pack_zip({"readdo.json": b"[]"}),
    "no items": pack_zip({"readdo.json": b'{"format": "readdo-backup", "version": 1}'}),
}


@pytest.mark.parametrize("name", NOT_OURS)
def test_file_that_is_not_a_backup_is_rejected(source_world: World, name: str) -> None:
    restore = restore_backup(source_world, NOT_OURS[name], token_of(source_world, "strange"))
    assert (restore["status"], restore["failure"]["error_code"]) == ("FAILED", "RESTORE_FAILED")
    assert "Nothing was changed" in restore["failure"]["message"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_restore_rejects_other_compression_methods(source_world: World, backup_zip: bytes, method: int) -> None:
    restore = restore_backup(source_world, pack_zip(members_of(backup_zip), method), token_of(source_world, "strange"))
    assert restore["status"] == "FAILED"


def test_restore_rejects_a_truncated_file(source_world: World, backup_zip: bytes) -> None:
    restore = restore_backup(source_world, backup_zip[: len(backup_zip) // 2], token_of(source_world, "strange"))
    assert restore["status"] == "FAILED"


def with_fields(body: bytes, name: str, **sets: Any) -> bytes:
    """Set fields in each line of a member; a callable gets the line and returns the new value."""
    members = members_of(body)
    lines_ = [json.loads(line) for line in members[name].splitlines()]
    for line in lines_:
        line.update({field: value(line) if callable(value) else value for field, value in sets.items()})
    return pack_zip({**members, name: b"".join(json.dumps(line).encode() + b"\n" for line in lines_)})


HOSTILE: dict[str, dict[str, Any]] = {
    "an id that leads elsewhere": {"id": "../../../../../../etc/pass"},
    "a status that there is not": {"status": "OWNED"},
    "a link that is none": {"url": "javascript:alert(1)"},
    "a number that is none": {"version": "1"},
    "a number without end": {"version": 10**40},
    "half a character": {"title": "\ud800"},
    "a title without end": {"title": "x" * 100_000},
    "a history that is none": {"history": {"at": 1}},
    "no history": {"history": []},
    "a path out of the zip": {"content": "../../etc/passwd"},
    "a text that is not there": {"content": "content/nobody.txt"},
    "intents without end": {"intents": ["x"] * 1000},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_restore_reports_and_skips_a_hostile_line(source_world: World, backup_zip: bytes, name: str) -> None:
    token = token_of(source_world, f"hostile{len(name)}")
    restore = restore_backup(source_world, with_fields(backup_zip, "items.jsonl", **HOSTILE[name]), token)
    assert restore["status"] == "DONE"
    assert (restore["restored"], restore["refused"] > 5, len(restore["told"])) == (0, True, restore["refused"])
    assert source_world.api("GET", "/items", token=token).json["items"] == []


ARTIFACTS: dict[str, dict[str, Any]] = {
    "a payload of another form": {"payload": {"x": 1}},
    "a payload with more": {"payload": lambda line: {**line["payload"], "script": "x"}},
    "another kind": {"artifact_type": "card"},
    "a meta that is too deep": {"meta": lambda line: {**line["meta"], "a": [[[[[[1]]]]]]}},
    "a run that leads elsewhere": {"meta": lambda line: {**line["meta"], "run_id": "R#../x"}},
    "a number that the table does not know": {"meta": lambda line: {**line["meta"], "a": 1e-300}},
    "a version beyond": {"version": 800_000},
    "another item": {"item": "01KA4Z8Q2M6V3T9R5W7X1Y0BCD"},
}


@pytest.mark.parametrize("name", ARTIFACTS)
def test_restore_skips_items_with_invalid_artifacts(source_world: World, backup_zip: bytes, name: str) -> None:
    token = token_of(source_world, f"artifact{len(name)}")
    restore = restore_backup(source_world, with_fields(backup_zip, "artifacts.jsonl", **ARTIFACTS[name]), token)
    assert restore["status"] == "DONE"
    assert restore["refused"] > 3
    items = source_world.api("GET", "/items?limit=100", token=token).json["items"]
    assert {item["status"] for item in items} <= {"CAPTURED", "FAILED_EXTRACTION", "FAILED_AI"}


def test_restore_reports_a_file_with_a_wrong_checksum(source_world: World, backup_zip: bytes) -> None:
    members = {n: b"another" if n.endswith("card.md") else b for n, b in members_of(backup_zip).items()}
    restore = restore_backup(source_world, pack_zip(members), token_of(source_world, "file"))
    assert [("md" in one["message"]) for one in restore["told"]] == [True]


SCRIPT = b"<!doctype html><script>fetch('/my')</script>"


def with_hostile_pages(body: bytes) -> bytes:
    """Replace each exported page by a script with matching checksums."""
    members = {n: SCRIPT if n.endswith(".html") else b for n, b in members_of(body).items()}
    items = [json.loads(line) for line in members["items.jsonl"].splitlines()]
    for file in (e["files"]["html"] for line in items for e in line["exports"] if "html" in e["files"]):
        file |= {"bytes": len(SCRIPT), "sha256": files.sha256(SCRIPT)}
    return pack_zip({**members, "items.jsonl": b"".join(json.dumps(line).encode() + b"\n" for line in items)})


def test_restore_renders_the_page_of_an_export_again(source_world: World, backup_zip: bytes) -> None:
    token, honest = token_of(source_world, "pages"), token_of(source_world, "honest")
    restore_backup(source_world, with_hostile_pages(backup_zip), token)
    restore_backup(source_world, backup_zip, honest)
    files_of: dict[str, dict[str, bytes]] = {name: {} for name in (token, honest)}
    for name, pages in files_of.items():
        for view in api_view(source_world, name).values():
            pages |= {path: body for path, body in view["files"].items() if path.endswith(".html")}
    assert files_of[token]
    assert SCRIPT not in files_of[token].values()
    assert files_of[token] == files_of[honest], "the same page as in an honest backup"


def test_restore_refuses_a_page_whose_card_is_not_in_the_backup(source_world: World, backup_zip: bytes) -> None:
    members = members_of(backup_zip)
    items = [json.loads(line) for line in members["items.jsonl"].splitlines()]
    for export in (e for line in items for e in line["exports"] if "html" in e["files"]):
        export |= {"card_by": "user", "card_version": 77}
    lines = b"".join(json.dumps(line).encode() + b"\n" for line in items)
    restore = restore_backup(
        source_world, pack_zip({**members, "items.jsonl": lines}), token_of(source_world, "cardless")
    )
    assert any("the card of one of its exports is not in the backup" in one["message"] for one in restore["told"])


def with_large_directory(body: bytes, size: int) -> bytes:
    """Add a zip64 record that declares a large directory; the standard record declares a small one."""
    end = body.rindex(b"PK\x05\x06")
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    return body[:end] + record + locator + body[end:]


def test_restore_rejects_a_large_zip64_directory_unread(
    source_world: World, backup_zip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = with_large_directory(backup_zip, 400_000_000)
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("it was opened"))
    restore = restore_backup(source_world, body, token_of(source_world, "large"))
    assert "too many files" in restore["failure"]["message"]


def test_product_backups_have_a_zip64_record(backup_zip: bytes) -> None:
    """Product backups have a zip64 record, so a restore cannot refuse files for having one."""
    assert backup_zip.rindex(b"PK\x06\x07") == backup_zip.rindex(b"PK\x05\x06") - 20


def test_skipped_lines_count_towards_the_line_limit(
    source_world: World, backup_zip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_reader, "LINES_MAX", 500)
    members = members_of(backup_zip)
    for name in ("items.jsonl", "artifacts.jsonl"):
        restore = restore_backup(
            source_world,
            pack_zip({**members, name: b"\n" * 501 + members[name]}),
            token_of(source_world, f"blank{name[0]}"),
        )
        assert restore["status"] == "FAILED"
        assert f"{name} has more than 500 lines" in restore["failure"]["message"]
    restore = restore_backup(
        source_world, pack_zip({**members, "artifacts.jsonl": b"{}\n" * 501}), token_of(source_world, "bad")
    )
    assert "artifacts.jsonl has more than 500 lines" in restore["failure"]["message"]


class LimitedTime:
    """Time left for this many lines."""

    def __init__(self, lines: int) -> None:
        self.left = lines

    def __call__(self) -> bool:
        self.left -= 1
        return self.left >= 0


@pytest.mark.parametrize("name", ["items.jsonl", "artifacts.jsonl"])
def test_skipped_lines_count_towards_the_time_limit(
    source_world: World, backup_zip: bytes, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Otherwise an invocation times out while it reads the lines, and so does each restart."""
    carry_on, members = restore_run.carry_on, members_of(backup_zip)
    bad = b"{}\n" if name == "artifacts.jsonl" else b"\n"
    invocations: list[int] = []

    def carry_on_briefly(table: Any, now: Any, _: Any) -> None:
        invocations.append(1)
        carry_on(table, now, LimitedTime(300))

    monkeypatch.setattr(restore_run, "carry_on", carry_on_briefly)
    body = pack_zip({**members, name: bad * 2_000 + members[name]})
    restore = restore_backup(source_world, body, token_of(source_world, f"slow{name[0]}"))
    source_world.heartbeat()
    source_world.settle()
    if name == "artifacts.jsonl":
        assert restore["status"] == "FAILED"
        assert "no item could be restored in time" in restore["failure"]["message"]
    else:  # each start makes progress
        assert restore["status"] in ("PAUSED", "RUNNING", "DONE")
        assert len(invocations) > 1


def test_restore_unpacks_each_file_of_the_zip_once(source_world: World, backup_zip: bytes) -> None:
    """Otherwise many items could name one large file, and each would unpack it again."""
    members = members_of(backup_zip)
    items = [json.loads(line) for line in members["items.jsonl"].splitlines()]
    first = next(line["content"] for line in items if line.get("content"))
    body = with_fields(backup_zip, "items.jsonl", content=first)
    restore = restore_backup(source_world, body, token_of(source_world, "sharing"))
    assert restore["restored"] == 1
    assert all("its full text is missing or damaged" in one["message"] for one in restore["told"])


def test_restore_unpacks_no_text_beyond_its_limit(backup_zip: bytes) -> None:
    archive = zipfile.ZipFile(io.BytesIO(backup_zip))
    name = next(n for n in archive.namelist() if n.startswith("content/"))
    assert zip_reader.read_member(archive, name, archive.getinfo(name).file_size - 1) is None
    assert zip_reader.read_member(archive, name, archive.getinfo(name).file_size) == members_of(backup_zip)[name]


def test_restore_drops_unknown_fields_and_keeps_tags(source_world: World, backup_zip: bytes) -> None:
    token = token_of(source_world, "fields")
    restore_backup(
        source_world, with_fields(backup_zip, "items.jsonl", owner="me", pk="O#me", evil=True, tags=["later"]), token
    )
    rows = list(source_world.table.query_all(keys.partition(keys.owner("fields")), keys.stretch(item_keys.ITEM_PREFIX)))
    assert rows
    assert {(r["owner"], r["pk"], "evil" in r, tuple(r["tags"])) for r in rows} == {
        ("fields", "O#fields", False, ("later",))
    }
