"""Documents and assignments of the Collect desk in backups, and restored from them."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from functions.backups_in import backup_row, new_backup, open_backup, read_lines
from functions.restores_in import restore_backup, token_of
from readdo import files
from support.collect_pool import add, apply, assert_no_drift, document, pick, put_document, result, send, supplement
from support.world import World

PATH = "讲座/a b.md"
WAITING = {"id": "w", "status": "skipped", "requires_permission": True, "reason": "GDC Vault", "note": {"a": [1.5]}}


def backed_up(world: World) -> bytes:
    return files.get(backup_row(world, new_backup(world))["file"]["at"])


def rewritten(body: bytes, member: str, lines: list[dict[str, Any]]) -> bytes:
    """The backup with other lines in a member."""
    out = io.BytesIO()
    text = "".join(json.dumps(line) + "\n" for line in lines)
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, text if name == member else old.read(name))
    return out.getvalue()


def lines_of(body: bytes, member: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return [json.loads(line) for line in archive.read(member).splitlines()]


def use_the_desk(world: World) -> None:
    """Assignments in each state, an older version, an extra document, and large claims."""
    add(
        world,
        supplement("done", PATH),
        supplement("partial", "p.md"),
        supplement("failed"),
        supplement("busy"),
        WAITING,
    )
    add(world, {"id": "again", "type": "url", "url": "https://a.example.net/", "resumes": "w", "priority": 5})
    add(
        world,
        {
            "id": "made",
            "type": "create_document",
            "document_list": [{"title": "t", "file": "m.md"}],
            "target_count": 2,
            "search_keywords": "x",
        },
    )
    put_document(world, PATH, "first")
    for path in (PATH, "m.md", "extra.md", "p.md"):
        put_document(world, path, document(99 if path == "p.md" else 100, 100 if path == "p.md" else 200, path))
    claims = result("partial", result={"completion_rate": 1, "missing_items": ["x" * 5000]})
    apply(
        world,
        result("done"),
        claims,
        result("failed", "failed", error="500"),
        result("made", result={"documents": ["extra.md"]}),
    )
    world.api("POST", "/assignments/busy/skip", {"reason": "account"})
    add(world, supplement("open", "open.md"))


def shown(world: World, token: str) -> dict[str, Any]:
    """What the API shows of the desk."""
    listed = world.api("GET", "/assignments?limit=100", token=token).json["assignments"]
    names = [row["id"] for row in listed]
    details = {name: world.api("GET", f"/assignments/{name}", token=token).json for name in names}
    for detail in details.values():
        detail["assignment"] |= {"version": 0, "updated_at": ""}
        detail["history"] = [entry for entry in detail["history"] if not entry["what"].startswith("restore_")]
        detail["documents"] = [{**one, "updated_at": ""} for one in detail["documents"]]
    documents = world.api("GET", "/documents", token=token).json["documents"]
    versions = {
        (one["path"], number): world.api("GET", f"/documents/{_quoted(one['path'])}?version={number}", token=token).json
        for one in documents
        for number in range(1, one["version"] + 1)
    }
    return {"names": names, "details": details, "documents": documents, "versions": versions}


def _quoted(path: str) -> str:
    return path.replace(" ", "%20")


def test_restored_desk_is_the_same(fresh: World) -> None:
    use_the_desk(fresh)
    token = token_of(fresh, "another")
    body = backed_up(fresh)
    for counts in ({"restored": 12, "known": 0}, {"restored": 0, "known": 12}):
        restored = restore_backup(fresh, body, token)
        assert restored["told"] == []
        assert {name: restored[name] for name in counts} == counts
    assert shown(fresh, token) == shown(fresh, fresh.token)
    stats = [fresh.api("GET", "/collect/stats", token=one).json for one in (fresh.token, token)]
    assert stats[0] == stats[1]
    assert fresh.api("POST", "/collect/recount", {}, token=token).json["drift"] == {}
    assert_no_drift(fresh)


def test_restored_desk_goes_on(fresh: World) -> None:
    use_the_desk(fresh)
    token = token_of(fresh, "another")
    restore_backup(fresh, backed_up(fresh), token)
    picked = [fresh.api("POST", "/batches", {}, token=one).json["batch"]["ids"] for one in (fresh.token, token)]
    assert picked[0] == picked[1]
    assert {"partial", "open", "again"} <= set(picked[1])
    again = fresh.api("PUT", "/documents/p.md", {"content": "third"}, token=token)
    assert (again.status, again.json["document"]["version"]) == (200, 2)


def test_assignment_in_progress_is_pending_again(fresh: World) -> None:
    add(fresh, supplement("a"))
    pick(fresh)
    token = token_of(fresh, "another")
    restore_backup(fresh, backed_up(fresh), token)
    assert fresh.api("GET", "/assignments/a", token=token).json["assignment"]["status"] == "pending"


def test_newest_version_is_in_the_zip_under_its_path(fresh: World) -> None:
    put_document(fresh, PATH, "first")
    put_document(fresh, PATH, "第二")
    archive = open_backup(fresh, new_backup(fresh))
    assert archive.read(f"documents/{PATH}").decode() == "第二"
    (line,) = read_lines(archive, "documents")
    assert [archive.read(version["file"]).decode() for version in line["versions"]] == ["first", "第二"]


def test_existing_document_and_assignment_are_not_changed(fresh: World) -> None:
    put_document(fresh, "a.md", "first")
    add(fresh, supplement("a"))
    body = backed_up(fresh)
    put_document(fresh, "a.md", "second")
    fresh.api("POST", "/assignments/a/skip", {"reason": "account"})
    before = shown(fresh, fresh.token)
    assert restore_backup(fresh, body, fresh.token)["known"] == 2
    assert shown(fresh, fresh.token) == before


def test_document_that_is_only_named_is_restored(fresh: World) -> None:
    put_document(fresh, "a.md", document())
    token = token_of(fresh, "another")
    fresh.api("POST", "/assignments", [supplement("x", "a.md")], token=token)
    restore_backup(fresh, backed_up(fresh), token)
    assert fresh.api("GET", "/collect/stats", token=token).json["documents"]["complete_count"] == 1
    assert fresh.api("POST", "/collect/recount", {}, token=token).json["drift"] == {}


Change = Callable[[dict[str, Any]], Mapping[str, Any]]


@pytest.mark.parametrize(
    ("member", "change"),
    [
        ("documents.jsonl", lambda _: {"path": "../a.md"}),
        ("documents.jsonl", lambda _: {"path": "a.txt"}),
        ("documents.jsonl", lambda line: {"versions": line["versions"] * 2}),
        ("documents.jsonl", lambda _: {"versions": []}),
        ("documents.jsonl", lambda line: {"versions": [{**line["versions"][0], "file": "documents/none.md"}]}),
        ("documents.jsonl", lambda line: {"versions": [{**line["versions"][0], "version": 0}]}),
        ("assignments.jsonl", lambda _: {"status": "done"}),
        ("assignments.jsonl", lambda _: {"status": "stolen"}),
        ("assignments.jsonl", lambda _: {"id": "a/b"}),
        ("assignments.jsonl", lambda _: {"sequence": "0"}),
        ("assignments.jsonl", lambda _: {"fields": {"type": "poem"}}),
        ("assignments.jsonl", lambda _: {"fields": {"type": "content_supplement", "target_files": ["../x.md"]}}),
        ("assignments.jsonl", lambda _: {"fields": {"type": "url", "url": 3}}),
        ("assignments.jsonl", lambda _: {"points": 3001}),
        ("assignments.jsonl", lambda _: {"attempts": -1}),
    ],
)
def test_invalid_line_is_refused_and_the_rest_restored(fresh: World, member: str, change: Change) -> None:
    put_document(fresh, "a.md")
    add(fresh, supplement("a"))
    body = backed_up(fresh)
    token = token_of(fresh, "another")
    wrong = [{**line, **change(line)} for line in lines_of(body, member)]
    restored = restore_backup(fresh, rewritten(body, member, wrong), token)
    assert (restored["status"], restored["restored"], restored["refused"]) == ("DONE", 1, 1)
    assert fresh.api("POST", "/collect/recount", {}, token=token).json["drift"] == {}


def test_output_is_not_applied_to_a_restored_assignment(fresh: World) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    token = token_of(fresh, "another")
    restore_backup(fresh, backed_up(fresh), token)
    assert send(fresh, batch, {}, token=token).status == 404
