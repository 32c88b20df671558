"""The API's view of an item: stable fields for clients, and no storage fields."""

from typing import Any, cast

import pytest

from readdo.read import views
from readdo.read.rows import ExportRow, ItemRow, ListedItem
from readdo.store.keys import HistoryEntry

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
INTERNAL_FIELDS = {"pk", "sk", "owner", "inbox", "due_at", "due_shard", "last_write", "content_ref", "versions", "made"}
INTERNAL_FIELDS |= {"history", "starts", "reclaims", "lease_owner", "lease_epoch", "lease_expires_at"}


def test_view_contains_no_internal_fields() -> None:
    assert not INTERNAL_FIELDS & set(views.item(cast("ItemRow", ROW)))
    assert not INTERNAL_FIELDS & set(views.listed(cast("ListedItem", ROW)))


def test_view_contains_the_intent() -> None:
    assert (
        views.item(cast("ItemRow", ROW))["intent_text"]
        == views.listed(cast("ListedItem", ROW))["intent_text"]
        == "read it"
    )


KINDS = ("extraction", "summary", "score", "todos", "card")
STEPS = ("extract", "summarize", "score", "todos", "card", "gate")


@pytest.mark.parametrize("done", range(6))
def test_progress_has_the_current_step_and_the_number_done(done: int) -> None:
    row = {**ROW, "made": dict.fromkeys(KINDS[:done], 1)}
    assert views.item(cast("ItemRow", row))["progress"] == {
        "step": STEPS[done],
        "done": done,
        "of": 6,
        "started_at": ROW["started_at"],
    }


def test_item_without_a_running_step_has_no_progress() -> None:
    assert "progress" not in views.item(cast("ItemRow", {k: v for k, v in ROW.items() if k != "started_at"}))


def test_history_has_the_previous_state_of_each_move() -> None:
    entries: list[HistoryEntry] = [
        {"at": "1", "by": "user", "what": "capture", "to": "CAPTURED"},
        {"at": "2", "by": "system:http_api", "what": "enqueue", "to": "QUEUED", "run": "r"},
        {"at": "3", "by": "system:lease", "what": "lease", "to": "PROCESSING", "run": "r"},
    ]
    moves = views.history(entries)
    assert [(e["from"], e["to"]) for e in moves] == [
        (None, "CAPTURED"),
        ("CAPTURED", "QUEUED"),
        ("QUEUED", "PROCESSING"),
    ]
    assert [set(e) for e in moves] == [{"at", "by", "trigger", "from", "to", "run_id"}] * 3
    assert moves[1]["run_id"] == "r"
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


def test_export_lists_its_files_in_the_requested_order_with_public_paths() -> None:
    files = views.export(cast("ExportRow", export()))["payload"]["files"]
    assert [(f["type"], f["path"]) for f in files] == [("png", "exports/X/k/card.png"), ("md", "exports/X/k/card.md")]
    assert all(set(f) == {"type", "path", "created_at", "bytes", "sha256"} for f in files)


def test_unfinished_export_shows_its_files_and_failure() -> None:
    running = {k: v for k, v in export(status="RUNNING", files={}).items() if k != "renderer"}
    assert (
        views.export(cast("ExportRow", running))["status"],
        views.export(cast("ExportRow", running))["payload"]["files"],
    ) == ("RUNNING", [])
    failed = views.export(
        cast("ExportRow", {**running, "status": "FAILED", "failure": {"error_code": "EXPORT_RENDER_FAILED"}})
    )
    assert failed["failure"] == {"error_code": "EXPORT_RENDER_FAILED"}
