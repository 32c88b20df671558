"""http_api: calls of an import, its idempotency and its upload link."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from readdo import clock, files
from readdo.read.imports import lines as slices
from support.import_helpers import get_import, lines, send, start_import
from support.world import World

FILE = {"filename": "links.txt", "size": 20}


def create_import(world: World, **more: Any) -> Any:
    return world.api("POST", "/import", {**FILE, **more}, key=more.pop("key", ""))


def action_names(answer: Any) -> list[str]:
    return [action["action"] for action in answer.json["available_actions"]]


def test_import_waits_for_its_file_and_returns_an_upload_link(made: World) -> None:
    answer = create_import(made)
    assert (answer.status, answer.json["import"]["status"]) == (202, "WAITING")
    assert action_names(answer) == ["start", "cancel"]
    again = made.api("GET", answer.headers["location"])
    assert set(again.json["upload"]) == {"method", "url", "headers"}


def test_upload_link_is_signed_for_size_type_and_checksum(made: World) -> None:
    upload = create_import(made, sha256="ab" * 32).json["upload"]
    query = parse_qs(urlsplit(upload["url"]).query)
    signed = query["X-Amz-SignedHeaders"][0].split(";")
    assert {"content-length", "content-type"} <= set(signed)
    assert query["X-Amz-Expires"] == ["900"]
    assert {name.lower() for name in upload["headers"]} == set(signed) - {"host"}


def test_import_without_its_file_cannot_start(made: World) -> None:
    place = create_import(made).headers["location"]
    answer = made.api("POST", f"{place}/start", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "has not come yet" in answer.json["error"]["message"]
    assert made.api("GET", place).json["import"]["status"] == "WAITING"


def test_too_large_file_is_rejected_before_the_upload(made: World) -> None:
    answer = create_import(made, size=100_000_001)
    assert (answer.status, answer.json["error"]["code"]) == (413, "TOO_LARGE")
    assert "100 MB" in answer.json["error"]["message"]
    assert made.api("GET", "/imports").json["imports"] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("size", 0), ("size", "20"), ("filename", ""), ("filename", "x" * 201), ("sha256", "AB" * 32), ("profile", "x")],
)
def test_import_with_an_invalid_field_names_it(field: str, value: Any, made: World) -> None:
    answer = create_import(made, **{field: value})
    assert answer.status == 400
    assert [wrong["field"] for wrong in answer.json["error"]["details"]["fields"]] == [field]


def test_import_intent_has_three_characters_or_none(made: World) -> None:
    assert create_import(made, intent_text="ab").status == 400
    assert create_import(made, intent_text="").status == 202


def test_import_key_is_idempotent_and_not_valid_for_another_file(made: World) -> None:
    first = made.api("POST", "/import", FILE, key="monday")
    again = made.api("POST", "/import", FILE, key="monday")
    other = made.api("POST", "/import", {**FILE, "size": 21}, key="monday")
    assert first.json["import"]["id"] == again.json["import"]["id"]
    assert (other.status, other.json["error"]["code"]) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert len(made.api("GET", "/imports").json["imports"]) == 1


def test_imports_are_listed_newest_first(made: World) -> None:
    names = ["a.txt", "b.txt"]
    for name in names:
        create_import(made, filename=name)
    assert [one["filename"] for one in made.api("GET", "/imports").json["imports"]] == ["b.txt", "a.txt"]


@pytest.mark.parametrize("verb", ["start", "pause", "resume", "cancel"])
def test_unknown_import_is_not_found(verb: str, made: World) -> None:
    for import_id in ("01KA50B3C4D5E6F7G8H9J0K1M2", "no-id"):
        answer = made.api("POST", f"/imports/{import_id}/{verb}", {})
        assert (answer.status, answer.json["error"]["message"][:27]) == (404, "This import does not exist.")


def test_paused_import_stops_and_resumes(made: World) -> None:
    paused: list[int] = []

    def pause_first(handler: Any, event: dict[str, Any]) -> Any:
        if not paused:
            paused.append(made.api("POST", f"/imports/{event['import']}/pause", {}).status)
        return handler(event)

    made.instead["import_lines"] = pause_first
    import_id = start_import(made, "https://example.org/a\nhttps://example.org/b\n", process=False)
    made.settle()
    assert paused == [200]
    paused_import = made.api("GET", f"/imports/{import_id}")
    assert (paused_import.json["import"]["status"], paused_import.json["import"]["counts"]["left"]) == ("PAUSED", 2)
    assert action_names(paused_import) == ["resume", "cancel"]
    assert made.heartbeat() == {}
    assert made.api("GET", "/items").json["items"] == []
    for _ in range(2):
        assert made.api("POST", f"/imports/{import_id}/resume", {}).status == 200
    made.settle()
    assert get_import(made, import_id)["status"] == "DONE"


def test_pause_during_a_slice_loses_and_duplicates_nothing(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slice's lines are stored but its progress update is refused, so they are read again later."""
    note = slices._note
    ids: list[str] = []

    def pausing(*args: Any) -> None:
        if not ids:
            ids.append(args[1].id)
            made.api("POST", f"/imports/{args[1].id}/pause", {})
        note(*args)

    monkeypatch.setattr(slices, "_note", pausing)
    import_id = start_import(made, "https://example.org/a\nhttps://example.org/b\n", process=False)
    made.settle()
    assert (get_import(made, import_id)["status"], get_import(made, import_id)["counts"]["left"]) == ("PAUSED", 2)
    assert len(made.api("GET", "/items").json["items"]) == 2
    made.api("POST", f"/imports/{import_id}/resume", {})
    made.settle()
    assert get_import(made, import_id)["counts"]["captured"] == 2
    assert {made.item(line["item"])["save_count"] for line in lines(made, import_id)} == {1}


def test_conflict_names_the_state_and_the_available_actions(made: World) -> None:
    place = create_import(made).headers["location"]
    answer = made.api("POST", f"{place}/pause", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "WAITING" in answer.json["error"]["message"]
    assert answer.json["error"]["details"]["status"] == "WAITING"
    assert [action["action"] for action in answer.json["error"]["details"]["available_actions"]] == ["start", "cancel"]


def test_resume_after_the_lines_expired_is_a_conflict_with_advice(made: World) -> None:
    made.instead["import_lines"] = lambda _, event: made.api("POST", f"/imports/{event['import']}/pause", {})
    import_id = start_import(made, "https://example.org/a\n", process=False)
    made.settle()
    del made.instead["import_lines"]
    files.remove_all(f"imports/{made.owner}/{import_id}/")  # as the bucket's lifecycle rule does
    answer = made.api("POST", f"/imports/{import_id}/resume", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "90 days" in answer.json["error"]["message"] and "again" in answer.json["error"]["message"]
    assert get_import(made, import_id)["status"] == "PAUSED"
    assert made.api("POST", f"/imports/{import_id}/cancel", {}).status == 200


def test_cancel_is_final_and_keeps_imported_items(made: World) -> None:
    import_id = start_import(made, "https://example.org/a\n", process=False)
    made.settle()
    assert made.api("POST", f"/imports/{import_id}/cancel", {}).status == 409
    other = create_import(made).headers["location"]
    assert made.api("POST", f"{other}/cancel", {}).json["import"]["status"] == "CANCELLED"
    assert made.api("POST", f"{other}/cancel", {}).status == 200
    assert len(made.api("GET", "/items").json["items"]) == 1


def test_import_without_a_file_fails_after_a_day(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = create_import(made)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 24 * 3600 - 60))
    assert made.heartbeat() == {}
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 24 * 3600 + 60))
    assert made.heartbeat() == {"let_go": 1}
    response = made.api("GET", answer.headers["location"])
    assert response.json["import"]["failure"]["error_code"] == "IMPORT_NO_FILE"
    assert action_names(response) == []


def test_lines_are_filtered_by_result(made: World) -> None:
    import_id = start_import(made, "https://example.org/a\nabout:blank\nhttps://example.org/a\n", process=False)
    made.settle()
    assert [line["line"] for line in lines(made, import_id, "result=bad")] == [2]
    assert [line["line"] for line in lines(made, import_id, "result=duplicate")] == [3]
    assert made.api("GET", f"/imports/{import_id}/lines?result=lost").status == 400
    assert made.api("GET", f"/imports/{import_id}/lines?cursor=xyz").status == 400
    assert made.api("GET", f"/imports/{import_id}/lines?limit=101").status == 400


def test_tags_are_captured_changed_and_removed(made: World) -> None:
    item_id = made.capture(process=False, tags=["one", "one", " two  words "])
    assert made.item(item_id)["tags"] == ["one", "two words"]
    changed = made.api("PATCH", f"/items/{item_id}", {"tags": ["three"]}, if_match="*")
    assert changed.json["item"]["tags"] == ["three"]
    cleared = made.api("PATCH", f"/items/{item_id}", {"tags": []}, if_match="*")
    assert "tags" not in cleared.json["item"]
    for wrong in (["x" * 81], [""], ["tag"] * 51):
        assert made.api("PATCH", f"/items/{item_id}", {"tags": wrong}, if_match="*").status == 400


def test_upload_after_the_start_changes_nothing(made: World) -> None:
    answer = create_import(made, process=False)
    send(answer.json["upload"], b"https://example.org/a\n")
    place = answer.headers["location"]
    made.api("POST", f"{place}/start", {})
    made.settle()
    send(answer.json["upload"], b"https://example.org/b\n")
    made.api("POST", f"{place}/start", {})
    made.settle()
    assert [item["url"] for item in made.api("GET", "/items").json["items"]] == ["https://example.org/a"]
