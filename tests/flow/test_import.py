"""Imports on the real workflow, from the upload to resting items."""

from collections.abc import Callable
from typing import Any

import pytest

from readdo import clock
from readdo.collect import batch_pick
from readdo.lifecycle.collect_batch import OWN_WORKER
from readdo.lifecycle.write import Write
from readdo.store.commands import CommandContext
from readdo.transfer import transfer_keys
from readdo.transfer.imports import lines as slices
from readdo.transfer.imports import pages
from support.collect_pool import add, supplement
from support.import_helpers import get_import, lines, start_import, texts
from support.proof_jobs import OPTIONS, TEXT, post, validated
from support.world import World

POCKET = (
    "title,url,time_added,tags,status\n"
    "A page,https://example.org/a,1500000000,one|two,unread\n"
    "Old,https://example.org/old,1400000000,,archive\n"
    "Again,https://example.org/a#part,1500000001,three,unread\n"
    "no page,javascript:alert(1),1500000002,,unread\n"
)


def counts(**changes: int) -> dict[str, int]:
    """The counts for POCKET's four lines."""
    return {"lines": 4, "captured": 0, "archived": 0, "joined": 0, "duplicate": 1, "bad": 1, "left": 0, **changes}


def test_imported_items_have_the_fields_of_the_file(fresh: World) -> None:
    import_id = start_import(fresh, POCKET, "part_000000.csv", process=False)
    fresh.settle()
    imported = get_import(fresh, import_id)
    assert (imported["status"], imported["kind"]) == ("DONE", "pocket")
    assert imported["counts"] == {
        "lines": 4,
        "captured": 2,
        "archived": 1,
        "joined": 0,
        "duplicate": 1,
        "bad": 1,
        "left": 0,
    }
    first, old, again, bad = lines(fresh, import_id)
    assert [line["result"] for line in (first, old, again, bad)] == ["captured", "captured", "duplicate", "bad"]
    assert first["item"] == again["item"]
    assert bad["place"] == "line 5"
    assert "bookmarklet" in bad["words"]
    item = fresh.item(first["item"])
    assert item["status"] == "CAPTURED"
    assert item["created_at"] == "2017-07-14T02:40:00.000Z"
    assert item["tags"] == ["one", "two", "three"]
    archived = fresh.item(old["item"])
    assert (archived["status"], archived["archive_reason"]) == ("ARCHIVED", "USER_ARCHIVE")


def test_imported_items_are_sorted_by_their_original_dates(fresh: World) -> None:
    new = fresh.capture(process=False)
    start_import(fresh, POCKET, process=False)
    fresh.settle()
    items = fresh.api("GET", "/items?sort=created_desc").json["items"]
    assert [item["created_at"][:4] for item in items] == [fresh.item(new)["created_at"][:4], "2017", "2014"]


def test_unprocessed_and_archived_lines_start_no_execution(fresh: World) -> None:
    start_import(fresh, POCKET, process=False)
    fresh.settle()
    start_import(fresh, "title,url,time_added,tags,status\nx,https://example.org/x,1500000000,,archive\n")
    fresh.settle()
    assert fresh.executions() == []


def test_imported_items_are_processed_to_ready(fresh: World) -> None:
    import_id = start_import(fresh, texts(3), intent_text="find out which design is safe")
    fresh.settle()
    assert get_import(fresh, import_id)["status"] == "DONE"
    items = [fresh.item(line["item"]) for line in lines(fresh, import_id)]
    assert [item["status"] for item in items] == ["READY"] * 3
    assert {item["intent_text"] for item in items} == {"find out which design is safe"}


def test_repeated_import_joins_all_its_lines(fresh: World) -> None:
    first = start_import(fresh, POCKET, process=False)
    fresh.settle()
    again = start_import(fresh, POCKET, process=False)
    fresh.settle()
    assert get_import(fresh, again)["counts"] == {
        "lines": 4,
        "captured": 0,
        "archived": 0,
        "joined": 2,
        "duplicate": 1,
        "bad": 1,
        "left": 0,
    }
    assert [line.get("item") for line in lines(fresh, again)] == [line.get("item") for line in lines(fresh, first)]
    assert len(fresh.api("GET", "/items").json["items"]) == 2


def test_joined_line_adds_only_tags_and_intent(fresh: World) -> None:
    item_id = fresh.capture(url="https://example.org/a", process=False, tags=["mine"])
    before = fresh.item(item_id)
    csv = (
        "url,note,tags,created_at,archived\nhttps://example.org/a,for the talk on Monday,mine;theirs,2015-01-01,true\n"
    )
    import_id = start_import(fresh, csv, "mine.csv")
    fresh.settle()
    assert [line["result"] for line in lines(fresh, import_id)] == ["joined"]
    after = fresh.item(item_id)
    assert (after["created_at"], after["status"]) == (before["created_at"], "CAPTURED")
    assert after["tags"] == ["mine", "theirs"]
    assert after["intents"] == [before["intent_text"], "for the talk on Monday"]


def test_starred_becomes_a_tag(fresh: World) -> None:
    import_id = start_import(fresh, "url,starred,tags\nhttps://example.org/a,1,news\n", "x.csv", process=False)
    fresh.settle()
    (line,) = lines(fresh, import_id)
    assert fresh.item(line["item"])["tags"] == ["starred", "news"]


def test_chinese_titles_get_a_chinese_intent(fresh: World) -> None:
    import_id = start_import(fresh, "# 文章\n[租约与栅栏令牌](https://example.org/a)\n", "链接.md", process=False)
    fresh.settle()
    (line,) = lines(fresh, import_id)
    assert "收藏" in fresh.item(line["item"])["intent_text"]


def test_unreadable_file_imports_nothing_and_has_a_message(fresh: World) -> None:
    import_id = start_import(fresh, b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "picture.png")
    fresh.settle()
    answer = fresh.api("GET", f"/imports/{import_id}").json
    assert answer["import"]["status"] == "FAILED"
    assert answer["import"]["failure"]["error_code"] == "IMPORT_FILE_UNREADABLE"
    assert "picture.png" in answer["import"]["failure"]["message"]
    assert answer["available_actions"] == []
    assert fresh.api("GET", "/items").json["items"] == []


def test_at_most_eight_items_are_processed_at_once(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """No execution takes a lease, so all items stay in flight. A running proof job takes one of the places."""
    fresh.instead["lease"] = lambda *_: {"error": 1}
    fresh.instead["proof_slice"] = lambda _, event: {**event, "more": False}
    post(fresh, validated(fresh, TEXT, **OPTIONS, engine="rules"), "start")
    monkeypatch.setattr(slices, "SLICES_MAX", 3)
    import_id = start_import(fresh, texts(11))
    fresh.settle()
    imported = get_import(fresh, import_id)
    assert (imported["status"], imported["in_flight"], imported["counts"]["left"]) == ("RUNNING", 7, 4)
    assert sum(item["status"] == "QUEUED" for item in fresh.api("GET", "/items?limit=100").json["items"]) == 7


def test_batch_of_our_own_worker_takes_a_place_of_an_import(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh.instead |= {"lease": lambda *_: {"error": 1}, "collect_work": lambda _, event: {**event, "more": False}}
    monkeypatch.setenv("MAX_IN_FLIGHT", "2")
    monkeypatch.setattr(slices, "SLICES_MAX", 3)
    add(fresh, supplement("a", "a.md"))
    context = CommandContext(fresh.table, fresh.owner, "pick", clock.now(), operation="collect")
    assert batch_pick.pick_batch(context, OWN_WORKER)
    import_id = start_import(fresh, texts(3))
    fresh.settle()
    assert get_import(fresh, import_id)["in_flight"] == 1


def test_items_that_wait_for_a_retry_take_no_place_but_are_at_most_fifty(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh.instead["extract"] = fail
    monkeypatch.setenv("MAX_IN_FLIGHT", "2")
    monkeypatch.setattr(slices, "SLICES_MAX", 40)
    import_id = start_import(fresh, texts(53))
    fresh.settle()
    imported = get_import(fresh, import_id)
    assert (imported["status"], imported["in_flight"], imported["counts"]["left"]) == ("RUNNING", 50, 3)


def fail(_handler: Any, _event: Any) -> Any:
    raise RuntimeError("fell over")


def failing_calls(number: int) -> Callable[..., Any]:
    """The first calls of a function fail before they do anything."""
    failures = [number]

    def fail_first(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        if failures[0]:
            failures[0] -= 1
            raise RuntimeError("fell over")
        return handler(event)

    return fail_first


@pytest.mark.parametrize("function", ["read_file", "import_lines"])
def test_crashed_import_worker_is_restarted_and_continues(
    function: str, fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readdo.transfer.failures.RESTART_SECONDS", -1)
    fresh.instead[function] = failing_calls(1)
    import_id = start_import(fresh, POCKET, process=False)
    fresh.settle()
    assert get_import(fresh, import_id)["status"] == ("READING" if function == "read_file" else "RUNNING")
    assert fresh.heartbeat() == {"read_again" if function == "read_file" else "go_on": 1}
    fresh.settle()
    assert get_import(fresh, import_id)["counts"]["captured"] == 2
    assert get_import(fresh, import_id)["status"] == "DONE"


def test_import_that_keeps_crashing_fails_and_can_be_resumed(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readdo.transfer.failures.RESTART_SECONDS", -1)
    fresh.instead["import_lines"] = failing_calls(4)
    import_id = start_import(fresh, POCKET, process=False)
    for _ in range(4):
        fresh.settle()
        fresh.heartbeat()
    answer = fresh.api("GET", f"/imports/{import_id}").json
    assert (answer["import"]["status"], answer["import"]["failure"]["error_code"]) == ("FAILED", "IMPORT_STOPPED")
    assert [action["action"] for action in answer["available_actions"]] == ["resume"]
    assert fresh.api("POST", f"/imports/{import_id}/resume", {}).status == 200
    fresh.settle()
    assert get_import(fresh, import_id)["status"] == "DONE"


def test_file_whose_first_response_was_lost_is_imported(fresh: World) -> None:
    """Step Functions invokes the function again, and a restarted execution begins with its first step."""

    def call_twice(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        handler(event)
        return handler(event)

    fresh.instead["read_file"] = call_twice
    import_id = start_import(fresh, POCKET, process=False)
    fresh.settle()
    assert get_import(fresh, import_id)["status"] == "DONE"


def test_repeated_slice_creates_no_duplicates(fresh: World) -> None:
    """The worker dies after the slice's work and before its progress update."""
    crashes: list[int] = []

    def finish_and_crash(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        if crashes:
            return handler(event)
        crashes.append(1)
        key = transfer_keys.import_job(fresh.owner, event["import"])
        before = fresh.table.get(key)
        handler(event)
        assert before is not None
        fresh.table.write(_restore_row(key, before))
        raise RuntimeError("died before it said so")

    fresh.instead["import_lines"] = finish_and_crash
    import_id = start_import(fresh, POCKET, process=False)
    fresh.settle()
    row = fresh.table.get(transfer_keys.import_job(fresh.owner, import_id)) or {}
    assert row["counts"]["captured"] == 0
    fresh.table.write(
        _restore_row(transfer_keys.import_job(fresh.owner, import_id), {**row, "due_at": "2026-01-01T00:00:00.000Z"})
    )
    fresh.heartbeat()
    fresh.settle()
    assert get_import(fresh, import_id)["counts"] == counts(captured=2, archived=1)
    assert len(fresh.api("GET", "/items").json["items"]) == 2
    assert all(fresh.item(line["item"])["save_count"] <= 2 for line in lines(fresh, import_id)[:3])


def _restore_row(key: Any, row: dict[str, Any]) -> Any:
    return Write(key, "put", row={name: value for name, value in row.items() if name not in ("pk", "sk")})


def test_long_import_continues_in_another_execution(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "ROUNDS", 1)
    monkeypatch.setattr(slices, "SLICES_MAX", 2)
    monkeypatch.setattr(pages, "LINES", 10)
    import_id = start_import(fresh, "\n".join(f"https://example.org/{n}" for n in range(31)), process=False)
    fresh.settle()
    assert get_import(fresh, import_id)["counts"]["left"] == 11
    assert fresh.heartbeat() == {"go_on": 1}
    fresh.settle()
    assert get_import(fresh, import_id)["status"] == "DONE"
    assert [line["line"] for line in lines(fresh, import_id, "limit=7")] == list(range(1, 32))
