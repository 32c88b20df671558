"""backup: everything of an owner in one zip, once, in slices, and of nobody else."""

import json
from typing import Any

import boto3
import pytest
from backups_in import STATES, asked, dies, lines, lost, made_anew, opened, overdue, row
from items_in import CHINESE, PAST, at_once, versions

from readdo import clock, files
from readdo.lifecycle.write import Write
from readdo.read import backup_run
from readdo.store import artifacts, history, keys, tokens
from support.world import World


def test_all_that_an_owner_has_is_in_it(full: World) -> None:
    found = opened(full, made_anew(full))
    about = json.loads(found.read("readdo.json"))
    assert (about["format"], about["version"]) == ("readdo-backup", 1)
    rows = list(full.table.query_all(keys.partition(keys.owner(full.owner)), keys.stretch(keys.ITEM_PREFIX)))
    items = {line["id"]: line for line in lines(found, "items")}
    assert {line["status"] for line in items.values()} == {*STATES, "ARCHIVED"}
    assert {r["id"] for r in rows} == set(items)
    taken: dict[str, list[Any]] = {}
    for line in lines(found, "artifacts"):
        taken.setdefault(line.pop("item"), []).append(line)
    for kept in rows:
        line = items[kept["id"]]
        assert line["history"] == history.whole(full.table, kept)
        assert {name: kept[name] for name in ("title", "intent_text", "version", "versions")} == {
            name: line[name] for name in ("title", "intent_text", "version", "versions")
        }
        every = [made for kind in artifacts.KINDS for made in versions(full, kept["id"], kind)]
        assert sorted(map(repr, taken.get(kept["id"], []))) == sorted(map(repr, every))
        assert "content" in line


def test_pasted_texts_and_the_files_of_exports_are_in_it_byte_for_byte(full: World) -> None:
    found = opened(full, made_anew(full))
    texts = {found.read(line["content"]).decode() for line in lines(found, "items")}
    assert {"很长的一段文字。" * 2000, CHINESE["content"]} <= texts
    (exported,) = (e for line in lines(found, "items") for e in line["exports"])
    kept = row_of_export(full)
    assert set(exported["files"]) == {"md", "png"}
    for form, file in exported["files"].items():
        assert found.read(file["path"]) == files.get(kept["files"][form]["at"])
        assert files.sha256(found.read(file["path"])) == file["sha256"]


def row_of_export(made: World) -> dict[str, Any]:
    scanned: Any = boto3.client("dynamodb").scan(TableName=made.table.name)["Items"]
    (key,) = {r["pk"]["S"] for r in scanned if r["sk"]["S"].startswith("X#") and r["status"]["S"] == "DONE"}
    return made.table.get(keys.export(made.owner, key.rsplit("#", 1)[1], "k")) or {}


def test_it_says_nothing_of_its_owner_nor_of_tokens_nor_of_how_it_is_kept(full: World) -> None:
    full.api("POST", "/tokens", {"name": "spare"})
    found = opened(full, made_anew(full))
    internal = {"pk", "sk", "owner", "inbox", "due_at", "due_shard", "last_write", "lease_owner", "content_ref"}
    for line in [*lines(found, "items"), *lines(found, "artifacts")]:
        assert not internal & set(line)
    everything = "".join(found.read(name).decode("utf-8", "replace") for name in found.namelist())
    for kept in (full.token, "rdo_", "spare", "artifacts/me/", "content/me/", "exports/me/"):
        assert kept not in everything


def test_another_owners_items_are_not_in_it(full: World) -> None:
    other = tokens.issue(full.table, "other", "test")
    answer = full.api("GET", "/export-all", token=other)
    full.settle()
    backup_id = answer.json["backup"]["id"]
    assert full.api("GET", f"/backups/{backup_id}", token=other).json["backup"]["items"] == 0
    for path in (f"/backups/{backup_id}", f"/backups/{backup_id}/file"):
        assert full.api("GET", path).status == 404
    assert backup_id not in [b["id"] for b in full.api("GET", "/backups").json["backups"]]


def test_asking_twice_makes_one_and_a_fresh_one_only_if_it_is_said(full: World) -> None:
    full.settle()
    first = asked(full, "?fresh=true")
    full.settle()
    assert asked(full)["id"] == first["id"]
    assert full.api("GET", "/export-all").status == 200
    assert asked(full, "?fresh=true")["id"] != first["id"]
    full.settle()


def test_one_that_is_under_way_is_joined_even_by_a_fresh_wish(full: World) -> None:
    backup_id = lost(full)
    answer = full.api("GET", "/export-all?fresh=true")
    assert (answer.status, answer.json["backup"]["id"]) == (202, backup_id)
    assert answer.headers["location"] == f"/backups/{backup_id}"
    assert answer.headers["cache-control"] == "no-store"
    overdue(full, backup_id)
    full.heartbeat()
    full.settle()


def test_many_who_ask_at_once_get_the_same_one(full: World) -> None:
    made_anew(full)
    full.instead["backup"] = dies
    found = at_once(4, lambda _: asked(full, "?fresh=true")["id"])
    full.settle()
    del full.instead["backup"]
    assert len(set(found)) == 1
    overdue(full, found[0])
    full.heartbeat()
    full.settle()


def test_one_of_more_than_ten_minutes_ago_serves_no_more(full: World) -> None:
    first = made_anew(full)
    earlier = clock.after(clock.now(), -601)
    full.table.write(Write(keys.backup(full.owner, first), sets={"done_at": earlier}))
    assert asked(full)["id"] != first
    full.settle()


def test_past_its_time_nobody_is_shown_it(full: World) -> None:
    backup_id = made_anew(full)
    full.table.write(Write(keys.backup(full.owner, backup_id), sets={"expires_at": PAST}))
    for path in (f"/backups/{backup_id}", f"/backups/{backup_id}/file"):
        assert (full.api("GET", path).status, full.api("GET", path).json["error"]["code"]) == (404, "NOT_FOUND")
    assert backup_id not in [b["id"] for b in full.api("GET", "/backups").json["backups"]]
    assert row(full, backup_id)["expires"] > clock.epoch_seconds(clock.now())


def test_the_list_is_newest_first(full: World) -> None:
    made_anew(full), made_anew(full)
    listed = [b["id"] for b in full.api("GET", "/backups").json["backups"]]
    assert listed == sorted(listed, reverse=True)
    assert len(listed) >= 2


@pytest.mark.parametrize("query", ["?fresh=perhaps", "?frsh=true"])
def test_a_query_with_a_typo_starts_nothing(full: World, query: str) -> None:
    before = len(full.api("GET", "/backups").json["backups"])
    assert full.api("GET", f"/export-all{query}").status == 400
    assert len(full.api("GET", "/backups").json["backups"]) == before


def test_a_token_that_only_reads_is_enough(full: World) -> None:
    reads = tokens.issue(full.table, full.owner, "reads", ("read",))
    assert full.api("GET", "/export-all", token=reads).status in (200, 202)
    full.settle()


def test_an_item_that_is_deleted_meanwhile_is_left_out_and_does_no_harm(full: World) -> None:
    going = full.capture(content="Going away. " * 1000, process=False)
    item = full.row(going)
    assert full.api("DELETE", f"/items/{going}").status == 204
    assert backup_run.take_snapshot(full.table, item) is None
