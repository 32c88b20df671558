"""restore: what was taken out comes back the same, once, as its new owner's, and nothing that is there is touched."""

from collections import Counter
from pathlib import Path

from restores_in import anybody, at_rest, restored, shown, without_the_last

from readdo import files
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import World

STORED = {
    **{"CAPTURED": 4, "READY": 3, "SHIPPED": 2, "ARCHIVED": 1},
    **{"FAILED_EXTRACTION": 1, "FAILED_AI": 2, "FAILED_EXPORT": 1},
}
UNDER_WAY = {"QUEUED": "CAPTURED", "PROCESSING": "CAPTURED"}


def test_what_rests_comes_back_the_same_for_another_owner(lived: World, taken_out: bytes) -> None:
    before = shown(lived, lived.token)
    token = anybody(lived, "another")
    told = restored(lived, taken_out, token)
    assert (told["status"], told["restored"], told["known"], told["refused"]) == ("DONE", len(before), 0, 0), told
    after = shown(lived, token)
    assert set(after) == set(before)
    assert list(after) == [name for name in before if name in after] or UNDER_WAY
    for name, first in before.items():
        if first["detail"]["item"]["status"] not in UNDER_WAY:
            assert at_rest(without_the_last(after[name])) == at_rest(first), first["detail"]["item"]["status"]
    assert max(len(one["detail"]["history"]) for one in after.values()) > 60
    assert shown(lived, lived.token) == before, "the first owner's are as they were"


def test_what_was_under_way_rests(lived: World, taken_out: bytes) -> None:
    before = shown(lived, lived.token)
    token = anybody(lived, "resting")
    restored(lived, taken_out, token)
    for name, now in shown(lived, token).items():
        status = before[name]["detail"]["item"]["status"]
        assert now["detail"]["item"]["status"] == UNDER_WAY.get(status, status)
        assert "progress" not in now["detail"]["item"]
    assert lived.api("GET", "/items", token=token).status == 200
    waiting = [name for name, one in before.items() if one["detail"]["item"]["status"] in UNDER_WAY]
    assert lived.api("POST", f"/items/{waiting[0]}/process", {}, token=token).status == 202
    lived.settle()
    assert lived.api("GET", f"/items/{waiting[0]}", token=token).json["item"]["status"] == "READY"


def test_twice_changes_nothing(lived: World, taken_out: bytes) -> None:
    token = anybody(lived, "twice")
    first = restored(lived, taken_out, token)
    once = shown(lived, token)
    again = restored(lived, taken_out, token)
    assert (again["restored"], again["known"], again["refused"]) == (0, first["restored"], 0)
    assert shown(lived, token) == once


def test_an_item_that_is_there_is_left_as_it_is(lived: World, taken_out: bytes) -> None:
    token = anybody(lived, "changed")
    restored(lived, taken_out, token)
    name = next(n for n, one in shown(lived, token).items() if one["detail"]["item"]["status"] == "READY")
    assert lived.api("PATCH", f"/items/{name}", {"title": "mine now"}, if_match="*", token=token).status == 200
    deleted = next(n for n, one in shown(lived, token).items() if one["detail"]["item"]["status"] == "SHIPPED")
    assert lived.api("DELETE", f"/items/{deleted}", token=token).status == 204
    told = restored(lived, taken_out, token)
    assert (told["restored"], told["refused"]) == (0, 1)
    assert [(one["item"], "deleted a moment ago" in one["message"]) for one in told["told"]] == [(deleted, True)]
    assert lived.api("GET", f"/items/{name}", token=token).json["item"]["title"] == "mine now"


def test_a_page_that_comes_back_is_joined_by_its_next_capture(lived: World, taken_out: bytes) -> None:
    token = anybody(lived, "pages")
    restored(lived, taken_out, token)
    again = {"url": "https://example.org/leases", "intent_text": "once more"}
    assert lived.api("POST", "/capture", again, token=token).json["joined"] is True


def test_a_backup_of_what_was_brought_back_is_the_same_again(lived: World, taken_out: bytes) -> None:
    token = anybody(lived, "again")
    restored(lived, taken_out, token)
    answer = lived.api("GET", "/export-all", token=token)
    lived.settle()
    backup = lived.table.get(keys.backup("again", answer.json["backup"]["id"])) or {}
    second = files.get(backup["file"]["at"])
    other = anybody(lived, "oncemore")
    restored(lived, second, other)
    assert set(shown(lived, other)) == set(shown(lived, token))


def test_it_starts_only_when_its_file_is_there_and_one_at_a_time(lived: World) -> None:
    token = anybody(lived, "early")
    offered = lived.api("POST", "/restore", {"size": 9, "sha256": "0" * 64}, token=token).json["restore"]["id"]
    early = lived.api("POST", f"/restores/{offered}/start", token=token)
    assert (early.status, early.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "not there yet" in early.json["error"]["message"]
    later = lived.api("POST", "/restore", {"size": 9, "sha256": "0" * 64}, token=token).json["restore"]["id"]
    files.put_once(f"restores/early/{offered}.zip", b"x" * 9, "application/zip")
    assert lived.api("POST", f"/restores/{offered}/start", token=token).status == 409, "another was offered since"
    lived.table.write(Write(keys.restore("early", later), sets={"status": "RUNNING"}))
    assert lived.api("POST", "/restore", {"size": 9, "sha256": "0" * 64}, token=token).status == 409
    assert lived.api("GET", f"/restores/{later}").status == 404, "another owner's"


def test_backup_of_an_earlier_release_is_restored(lived: World) -> None:
    """The file was made on 2026-11-19; another format adds a file and keeps this one."""
    token = anybody(lived, "earlier")
    stored = (Path(__file__).parent / "stored/backup-2026-11-19.zip").read_bytes()
    told = restored(lived, stored, token)
    assert (told["status"], told["restored"], told["known"], told["refused"]) == ("DONE", 14, 0, 0), told
    found = shown(lived, token)
    statuses = Counter(one["detail"]["item"]["status"] for one in found.values())
    assert statuses == STORED
    assert sum(len(one["files"]) for one in found.values()) == 3
    assert all(body for one in found.values() for body in one["files"].values())
