"""How an item is shown: what a client may rely on, and nothing of how it is kept."""

from typing import Any

import pytest

from readdo.read import views

ROW: dict[str, Any] = {
    "pk": "O#me",
    "sk": "I#X",
    "id": "X",
    "owner": "me",
    "status": "PROCESSING",
    "version": 4,
    "created_at": "2026-01-05T07:31:00.000Z",
    "updated_at": "2026-01-05T07:32:00.000Z",
    "intent_text": "read it",
    "lease_owner": "run-1",
    "lease_epoch": 2,
    "lease_expires_at": "2026-01-05T07:46:00.000Z",
    "started_at": "2026-01-05T07:31:30.000Z",
    "due_at": "2026-01-05T07:46:00.000Z",
    "due_shard": "3",
    "inbox": "5#000.0#X",
    "last_write": "abc",
    "content_ref": "content/me/X/1",
    "versions": {},
    "made": {},
    "history": [],
    "starts": 1,
    "reclaims": 0,
    "attempts": 0,
}
KEPT_INSIDE = {"pk", "sk", "owner", "inbox", "due_at", "due_shard", "last_write", "content_ref", "versions", "made"}
KEPT_INSIDE |= {"history", "starts", "reclaims", "lease_owner", "lease_epoch", "lease_expires_at"}


def test_nothing_of_how_an_item_is_kept_is_shown() -> None:
    assert not KEPT_INSIDE & set(views.item(ROW))
    assert not KEPT_INSIDE & set(views.listed(ROW))


def test_the_intent_is_always_shown() -> None:
    assert views.item(ROW)["intent_text"] == views.listed(ROW)["intent_text"] == "read it"


KINDS = ("extraction", "summary", "score", "todos", "card")
STEPS = ("extract", "summarize", "score", "todos", "card", "gate")


@pytest.mark.parametrize("done", range(6))
def test_progress_is_the_steps_done_of_six_and_the_step_it_is_in(done: int) -> None:
    row = {**ROW, "made": dict.fromkeys(KINDS[:done], 1)}
    assert views.item(row)["progress"] == {
        "step": STEPS[done],
        "done": done,
        "of": 6,
        "started_at": ROW["started_at"],
    }


def test_an_item_that_is_not_worked_on_has_no_progress() -> None:
    assert "progress" not in views.item({k: v for k, v in ROW.items() if k != "started_at"})


def test_history_tells_where_each_move_came_from() -> None:
    entries: list[dict[str, Any]] = [
        {"at": "1", "by": "user", "what": "capture", "to": "CAPTURED"},
        {"at": "2", "by": "system:http_api", "what": "enqueue", "to": "QUEUED", "run": "r"},
        {"at": "3", "by": "system:lease", "what": "lease", "to": "PROCESSING", "run": "r"},
    ]
    found = views.history(entries)
    assert [(e["from"], e["to"]) for e in found] == [
        (None, "CAPTURED"),
        ("CAPTURED", "QUEUED"),
        ("QUEUED", "PROCESSING"),
    ]
    assert [set(e) for e in found] == [{"at", "by", "trigger", "from", "to", "run_id"}] * 3
    assert found[1]["run_id"] == "r"
    assert views.history([]) == []


def export(**over: Any) -> dict[str, Any]:
    files = {
        "md": {"name": "card.md", "created_at": "t", "bytes": 3, "sha256": "s", "at": "exports/me/X/digest/card.md"},
        "png": {"name": "card.png", "created_at": "t", "bytes": 9, "sha256": "s", "at": "exports/me/X/digest/card.png"},
    }
    row: dict[str, Any] = {
        "item": "X",
        "export_key": "k",
        "status": "DONE",
        "formats": ["png", "md"],
        "files": files,
        "created_at": "t",
    }
    row |= {"layout": "CARD_4x5_V1", "artifact_version": 2, "card_run": "r", "card_version": 1, "theme": "DARK"}
    return {
        **row,
        "layout": "CARD_4x5_V1",
        "epoch": 3,
        "due_at": "t",
        "renderer": {"name": "n", "version": "1"},
        **over,
    }


def test_an_export_lists_its_files_as_they_were_asked_for_under_the_products_own_paths() -> None:
    files = views.export(export())["payload"]["files"]
    assert [(f["type"], f["path"]) for f in files] == [("png", "exports/X/k/card.png"), ("md", "exports/X/k/card.md")]
    assert all(set(f) == {"type", "path", "created_at", "bytes", "sha256"} for f in files)


def test_an_export_that_runs_or_failed_shows_the_files_there_are_and_the_failure() -> None:
    running = {k: v for k, v in export(status="RUNNING", files={}).items() if k != "renderer"}
    assert (views.export(running)["status"], views.export(running)["payload"]["files"]) == ("RUNNING", [])
    failed = views.export({**running, "status": "FAILED", "failure": {"error_code": "EXPORT_RENDER_FAILED"}})
    assert failed["failure"] == {"error_code": "EXPORT_RENDER_FAILED"}
