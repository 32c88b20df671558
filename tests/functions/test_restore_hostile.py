"""A backup comes from anywhere: what is none, lies, or leads elsewhere is refused in words, and does no harm."""

import io
import json
import struct
import zipfile
from typing import Any

import pytest
from restores_in import anybody, restored, shown

from readdo import files
from readdo.backup import zip_reader
from readdo.read import restore_run
from readdo.store import keys
from support.world import World


def packed(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as into:
        for name, body in members.items():
            into.writestr(name, body)
    return made.getvalue()


def parts(body: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(body)) as found:
        return {name: found.read(name) for name in found.namelist()}


NOT_OURS = {
    "no zip": b"not a zip at all" * 100,
    "an empty zip": packed({}),
    "another zip": packed({"a.txt": b"x"}),
    "another version": packed({"readdo.json": b'{"format": "readdo-backup", "version": 99}'}),
    "not JSON": packed({"readdo.json": b"\xff\xfe"}),
    "a list": packed({"readdo.json": b"[]"}),
    "no items": packed({"readdo.json": b'{"format": "readdo-backup", "version": 1}'}),
}


@pytest.mark.parametrize("name", NOT_OURS)
def test_what_is_no_backup_is_refused_in_words(lived: World, name: str) -> None:
    told = restored(lived, NOT_OURS[name], anybody(lived, "strange"))
    assert (told["status"], told["failure"]["error_code"]) == ("FAILED", "RESTORE_FAILED")
    assert "Nothing was changed" in told["failure"]["message"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_another_packing_is_refused_before_it_is_unpacked(lived: World, taken_out: bytes, method: int) -> None:
    told = restored(lived, packed(parts(taken_out), method), anybody(lived, "strange"))
    assert told["status"] == "FAILED"


def test_half_a_file_is_refused(lived: World, taken_out: bytes) -> None:
    told = restored(lived, taken_out[: len(taken_out) // 2], anybody(lived, "strange"))
    assert told["status"] == "FAILED"


def changed(body: bytes, name: str, **sets: Any) -> bytes:
    """Of each item's or artifact's line some fields; a value that is called is asked for the new one."""
    members = parts(body)
    found = [json.loads(line) for line in members[name].splitlines()]
    for line in found:
        line.update({field: of(line) if callable(of) else of for field, of in sets.items()})
    return packed({**members, name: b"".join(json.dumps(line).encode() + b"\n" for line in found)})


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
def test_a_hostile_line_is_refused_and_told_and_does_no_harm(lived: World, taken_out: bytes, name: str) -> None:
    token = anybody(lived, f"hostile{len(name)}")
    told = restored(lived, changed(taken_out, "items.jsonl", **HOSTILE[name]), token)
    assert told["status"] == "DONE"
    assert (told["restored"], told["refused"] > 5, len(told["told"])) == (0, True, told["refused"])
    assert lived.api("GET", "/items", token=token).json["items"] == []


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
def test_an_item_whose_artifacts_are_not_right_is_not_brought_back(lived: World, taken_out: bytes, name: str) -> None:
    token = anybody(lived, f"artifact{len(name)}")
    told = restored(lived, changed(taken_out, "artifacts.jsonl", **ARTIFACTS[name]), token)
    assert told["status"] == "DONE"
    assert told["refused"] > 3
    shown_ = lived.api("GET", "/items?limit=100", token=token).json["items"]
    assert {item["status"] for item in shown_} <= {"CAPTURED", "FAILED_EXTRACTION", "FAILED_AI"}


def test_a_file_that_was_changed_is_found_out(lived: World, taken_out: bytes) -> None:
    members = {n: b"another" if n.endswith("card.md") else b for n, b in parts(taken_out).items()}
    told = restored(lived, packed(members), anybody(lived, "file"))
    assert [("md" in one["message"]) for one in told["told"]] == [True]


SCRIPT = b"<!doctype html><script>fetch('/my')</script>"


def with_hostile_pages(body: bytes) -> bytes:
    """Each page of an export is a script, with a checksum that fits: who made the zip made both."""
    members = {n: SCRIPT if n.endswith(".html") else b for n, b in parts(body).items()}
    found = [json.loads(line) for line in members["items.jsonl"].splitlines()]
    for file in (e["files"]["html"] for line in found for e in line["exports"] if "html" in e["files"]):
        file |= {"bytes": len(SCRIPT), "sha256": files.sha256(SCRIPT)}
    return packed({**members, "items.jsonl": b"".join(json.dumps(line).encode() + b"\n" for line in found)})


def test_restore_renders_the_page_of_an_export_again(lived: World, taken_out: bytes) -> None:
    token, honest = anybody(lived, "pages"), anybody(lived, "honest")
    restored(lived, with_hostile_pages(taken_out), token)
    restored(lived, taken_out, honest)
    files_of: dict[str, dict[str, bytes]] = {name: {} for name in (token, honest)}
    for name, found in files_of.items():
        for told in shown(lived, name).values():
            found |= {path: body for path, body in told["files"].items() if path.endswith(".html")}
    assert files_of[token]
    assert SCRIPT not in files_of[token].values()
    assert files_of[token] == files_of[honest], "the same page as in an honest backup"


def test_restore_refuses_a_page_whose_card_is_not_in_the_backup(lived: World, taken_out: bytes) -> None:
    members = parts(taken_out)
    found = [json.loads(line) for line in members["items.jsonl"].splitlines()]
    for export in (e for line in found for e in line["exports"] if "html" in e["files"]):
        export |= {"card_by": "user", "card_version": 77}
    lines = b"".join(json.dumps(line).encode() + b"\n" for line in found)
    told = restored(lived, packed({**members, "items.jsonl": lines}), anybody(lived, "cardless"))
    assert any("the card of one of its exports is not in the backup" in one["message"] for one in told["told"])


def with_large_directory(body: bytes, size: int) -> bytes:
    """zip64's record says how long the directory is; the usual one says something small, and is not believed."""
    end = body.rindex(b"PK\x05\x06")
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    return body[:end] + record + locator + body[end:]


def test_directory_that_only_zip64_calls_large_is_refused_unread(
    lived: World, taken_out: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = with_large_directory(taken_out, 400_000_000)
    monkeypatch.setattr(zip_reader.zipfile, "ZipFile", lambda *_: pytest.fail("it was opened"))
    told = restored(lived, body, anybody(lived, "large"))
    assert "directory is larger than it may be" in told["failure"]["message"]


def test_backups_of_ours_have_the_record_for_large_files(taken_out: bytes) -> None:
    """So it cannot be refused as such; that it is read is what every restore shows."""
    assert taken_out.rindex(b"PK\x06\x07") == taken_out.rindex(b"PK\x05\x06") - 20


def test_lines_that_lead_to_nothing_count_against_number(
    lived: World, taken_out: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_reader, "LINES_MAX", 500)
    members = parts(taken_out)
    for name in ("items.jsonl", "artifacts.jsonl"):
        told = restored(
            lived, packed({**members, name: b"\n" * 501 + members[name]}), anybody(lived, f"blank{name[0]}")
        )
        assert told["status"] == "FAILED"
        assert f"{name} has more than 500 lines" in told["failure"]["message"]
    told = restored(lived, packed({**members, "artifacts.jsonl": b"{}\n" * 501}), anybody(lived, "bad"))
    assert "artifacts.jsonl has more than 500 lines" in told["failure"]["message"]


class Ticking:
    """An invocation that has time for so many lines."""

    def __init__(self, lines: int) -> None:
        self.left = lines

    def __call__(self) -> bool:
        self.left -= 1
        return self.left >= 0


@pytest.mark.parametrize("name", ["items.jsonl", "artifacts.jsonl"])
def test_lines_that_lead_to_nothing_count_against_time(
    lived: World, taken_out: bytes, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Else an invocation reads them past its end, dies, and the next does the same."""
    carry_on, members = restore_run.carry_on, parts(taken_out)
    bad = b"{}\n" if name == "artifacts.jsonl" else b"\n"
    times: list[int] = []

    def in_little_time(table: Any, now: Any, _: Any) -> None:
        times.append(1)
        carry_on(table, now, Ticking(300))

    monkeypatch.setattr(restore_run, "carry_on", in_little_time)
    body = packed({**members, name: bad * 2_000 + members[name]})
    told = restored(lived, body, anybody(lived, f"slow{name[0]}"))
    lived.heartbeat()
    lived.settle()
    if name == "artifacts.jsonl":
        assert told["status"] == "FAILED"
        assert "no item could be brought back in time" in told["failure"]["message"]
    else:  # each start gets further
        assert told["status"] in ("PAUSED", "RUNNING", "DONE")
        assert len(times) > 1


def test_restore_unpacks_each_file_of_the_zip_once(lived: World, taken_out: bytes) -> None:
    """Else many items could name one large file, and each would unpack it anew."""
    members = parts(taken_out)
    named = [json.loads(line) for line in members["items.jsonl"].splitlines()]
    first = next(line["content"] for line in named if line.get("content"))
    shared = changed(taken_out, "items.jsonl", content=first)
    told = restored(lived, shared, anybody(lived, "sharing"))
    assert told["restored"] == 1
    assert all("its text is missing or broken" in one["message"] for one in told["told"])


def test_restore_unpacks_no_text_beyond_its_limit(taken_out: bytes) -> None:
    found = zipfile.ZipFile(io.BytesIO(taken_out))
    name = next(n for n in found.namelist() if n.startswith("content/"))
    assert zip_reader.whole(found, name, found.getinfo(name).file_size - 1) is None
    assert zip_reader.whole(found, name, found.getinfo(name).file_size) == parts(taken_out)[name]


def test_a_field_that_nobody_knows_is_left_out_and_tags_come_along(lived: World, taken_out: bytes) -> None:
    token = anybody(lived, "fields")
    restored(lived, changed(taken_out, "items.jsonl", owner="me", pk="O#me", evil=True, tags=["later"]), token)
    kept = list(lived.table.query_all(keys.partition(keys.owner("fields")), keys.stretch(keys.ITEM_PREFIX)))
    assert kept
    assert {(r["owner"], r["pk"], "evil" in r, tuple(r["tags"])) for r in kept} == {
        ("fields", "O#fields", False, ("later",))
    }
