"""http_api: calls of an import, its idempotency and its upload link."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from readdo import clock, files
from readdo.transfer.imports import lines as slices
from support.import_helpers import get_import, lines, send, start_import
from support.world import World

FILE = {"filename": "links.txt", "size": 20}


def create_import(world: World, **more: Any) -> Any:
    return world.api("POST", "/import", {**FILE, **more}, key=more.pop("key", ""))


def action_names(answer: Any) -> list[str]:
    return [action["action"] for action in answer.json["available_actions"]]


def test_import_waits_for_its_file_and_returns_an_upload_link(fresh: World) -> None:
    answer = create_import(fresh)
    assert (answer.status, answer.json["import"]["status"]) == (202, "WAITING")
    assert action_names(answer) == ["start", "cancel"]
    again = fresh.api("GET", answer.headers["location"])
    assert set(again.json["upload"]) == {"method", "url", "headers"}


def test_upload_link_is_signed_for_size_type_and_checksum(fresh: World) -> None:
    upload = create_import(fresh, sha256="ab" * 32).json["upload"]
    query = parse_qs(urlsplit(upload["url"]).query)
    signed = query["X-Amz-SignedHeaders"][0].split(";")
    assert {"content-length", "content-type"} <= set(signed)
    assert query["X-Amz-Expires"] == ["900"]
    assert {name.lower() for name in upload["headers"]} == set(signed) - {"host"}


def test_import_without_its_file_cannot_start(fresh: World) -> None:
    place = create_import(fresh).headers["location"]
    answer = fresh.api("POST", f"{place}/start", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "was not uploaded yet" in answer.json["error"]["message"]
    assert fresh.api("GET", place).json["import"]["status"] == "WAITING"


def test_too_large_file_is_rejected_before_the_upload(fresh: World) -> None:
    answer = create_import(fresh, size=100_000_001)
    assert (answer.status, answer.json["error"]["code"]) == (413, "TOO_LARGE")
    assert "100 MB" in answer.json["error"]["message"]
    assert fresh.api("GET", "/imports").json["imports"] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("size", 0), ("size", "20"), ("filename", ""), ("filename", "x" * 201), ("sha256", "AB" * 32), ("profile", "x")],
)
def test_import_with_an_invalid_field_names_it(field: str, value: Any, fresh: World) -> None:
    answer = create_import(fresh, **{field: value})
    assert answer.status == 400
    assert [wrong["field"] for wrong in answer.json["error"]["details"]["fields"]] == [field]


def test_import_intent_has_three_characters_or_none(fresh: World) -> None:
    assert create_import(fresh, intent_text="ab").status == 400
    assert create_import(fresh, intent_text="").status == 202


def test_import_key_is_idempotent_and_not_valid_for_another_file(fresh: World) -> None:
    first = fresh.api("POST", "/import", FILE, key="monday")
    again = fresh.api("POST", "/import", FILE, key="monday")
    other = fresh.api("POST", "/import", {**FILE, "size": 21}, key="monday")
    assert first.json["import"]["id"] == again.json["import"]["id"]
    assert (other.status, other.json["error"]["code"]) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert len(fresh.api("GET", "/imports").json["imports"]) == 1


def test_imports_are_listed_newest_first(fresh: World) -> None:
    names = ["a.txt", "b.txt"]
    for name in names:
        create_import(fresh, filename=name)
    assert [one["filename"] for one in fresh.api("GET", "/imports").json["imports"]] == ["b.txt", "a.txt"]


@pytest.mark.parametrize("verb", ["start", "pause", "resume", "cancel"])
def test_unknown_import_is_not_found(verb: str, fresh: World) -> None:
    for import_id in ("01KA50B3C4D5E6F7G8H9J0K1M2", "no-id"):
        answer = fresh.api("POST", f"/imports/{import_id}/{verb}", {})
        assert (answer.status, answer.json["error"]["message"][:27]) == (404, "This import does not exist.")


def test_paused_import_stops_and_resumes(fresh: World) -> None:
    paused: list[int] = []

    def pause_first(handler: Any, event: dict[str, Any]) -> Any:
        if not paused:
            paused.append(fresh.api("POST", f"/imports/{event['import']}/pause", {}).status)
        return handler(event)

    fresh.instead["import_lines"] = pause_first
    import_id = start_import(fresh, "https://example.org/a\nhttps://example.org/b\n", process=False)
    fresh.settle()
    assert paused == [200]
    paused_import = fresh.api("GET", f"/imports/{import_id}")
    assert (paused_import.json["import"]["status"], paused_import.json["import"]["counts"]["left"]) == ("PAUSED", 2)
    assert action_names(paused_import) == ["resume", "cancel"]
    assert fresh.heartbeat() == {}
    assert fresh.api("GET", "/items").json["items"] == []
    for _ in range(2):
        assert fresh.api("POST", f"/imports/{import_id}/resume", {}).status == 200
    fresh.settle()
    assert get_import(fresh, import_id)["status"] == "DONE"


def test_pause_during_a_slice_loses_and_duplicates_nothing(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slice's lines are stored but its progress update is refused, so they are read again later."""
    note = slices._note
    ids: list[str] = []

    def pausing(*args: Any) -> None:
        if not ids:
            ids.append(args[1].id)
            fresh.api("POST", f"/imports/{args[1].id}/pause", {})
        note(*args)

    monkeypatch.setattr(slices, "_note", pausing)
    import_id = start_import(fresh, "https://example.org/a\nhttps://example.org/b\n", process=False)
    fresh.settle()
    assert (get_import(fresh, import_id)["status"], get_import(fresh, import_id)["counts"]["left"]) == ("PAUSED", 2)
    assert len(fresh.api("GET", "/items").json["items"]) == 2
    fresh.api("POST", f"/imports/{import_id}/resume", {})
    fresh.settle()
    assert get_import(fresh, import_id)["counts"]["captured"] == 2
    assert {fresh.item(line["item"])["save_count"] for line in lines(fresh, import_id)} == {1}


def test_conflict_names_the_state_and_the_available_actions(fresh: World) -> None:
    place = create_import(fresh).headers["location"]
    answer = fresh.api("POST", f"{place}/pause", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "WAITING" in answer.json["error"]["message"]
    assert answer.json["error"]["details"]["status"] == "WAITING"
    assert [action["action"] for action in answer.json["error"]["details"]["available_actions"]] == ["start", "cancel"]


def test_resume_after_the_lines_expired_is_a_conflict_with_advice(fresh: World) -> None:
    fresh.instead["import_lines"] = lambda _, event: fresh.api("POST", f"/imports/{event['import']}/pause", {})
    import_id = start_import(fresh, "https://example.org/a\n", process=False)
    fresh.settle()
    del fresh.instead["import_lines"]
    files.remove_all(f"imports/{fresh.owner}/{import_id}/")  # as the bucket's lifecycle rule does
    answer = fresh.api("POST", f"/imports/{import_id}/resume", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "90 days" in answer.json["error"]["message"] and "again" in answer.json["error"]["message"]
    assert get_import(fresh, import_id)["status"] == "PAUSED"
    assert fresh.api("POST", f"/imports/{import_id}/cancel", {}).status == 200


def test_cancel_is_final_and_keeps_imported_items(fresh: World) -> None:
    import_id = start_import(fresh, "https://example.org/a\n", process=False)
    fresh.settle()
    assert fresh.api("POST", f"/imports/{import_id}/cancel", {}).status == 409
    other = create_import(fresh).headers["location"]
    assert fresh.api("POST", f"{other}/cancel", {}).json["import"]["status"] == "CANCELLED"
    assert fresh.api("POST", f"{other}/cancel", {}).status == 200
    assert len(fresh.api("GET", "/items").json["items"]) == 1


def test_import_without_a_file_fails_after_a_day(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = create_import(fresh)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 24 * 3600 - 60))
    assert fresh.heartbeat() == {}
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 24 * 3600 + 60))
    assert fresh.heartbeat() == {"let_go": 1}
    response = fresh.api("GET", answer.headers["location"])
    assert response.json["import"]["failure"]["error_code"] == "IMPORT_NO_FILE"
    assert action_names(response) == []


def test_lines_are_filtered_by_result(fresh: World) -> None:
    import_id = start_import(fresh, "https://example.org/a\nabout:blank\nhttps://example.org/a\n", process=False)
    fresh.settle()
    assert [line["line"] for line in lines(fresh, import_id, "result=bad")] == [2]
    assert [line["line"] for line in lines(fresh, import_id, "result=duplicate")] == [3]
    assert fresh.api("GET", f"/imports/{import_id}/lines?result=lost").status == 400
    assert fresh.api("GET", f"/imports/{import_id}/lines?cursor=xyz").status == 400
    assert fresh.api("GET", f"/imports/{import_id}/lines?limit=101").status == 400


def test_tags_are_captured_changed_and_removed(fresh: World) -> None:
    item_id = fresh.capture(process=False, tags=["one", "one", " two  words "])
    assert fresh.item(item_id)["tags"] == ["one", "two words"]
    changed = fresh.api("PATCH", f"/items/{item_id}", {"tags": ["three"]}, if_match="*")
    assert changed.json["item"]["tags"] == ["three"]
    cleared = fresh.api("PATCH", f"/items/{item_id}", {"tags": []}, if_match="*")
    assert "tags" not in cleared.json["item"]
    for wrong in (["x" * 81], [""], ["tag"] * 51):
        assert fresh.api("PATCH", f"/items/{item_id}", {"tags": wrong}, if_match="*").status == 400


def test_upload_after_the_start_changes_nothing(fresh: World) -> None:
    answer = create_import(fresh, process=False)
    send(answer.json["upload"], b"https://example.org/a\n")
    place = answer.headers["location"]
    fresh.api("POST", f"{place}/start", {})
    fresh.settle()
    send(answer.json["upload"], b"https://example.org/b\n")
    fresh.api("POST", f"{place}/start", {})
    fresh.settle()
    assert [item["url"] for item in fresh.api("GET", "/items").json["items"]] == ["https://example.org/a"]
