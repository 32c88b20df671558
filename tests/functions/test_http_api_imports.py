"""The calls of an import: what is refused, what may be sent twice, and what the link to its file is good for."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from readdo import clock, files
from readdo.read.imports import lines as slices
from support.import_helpers import begin, lines, look, send
from support.world import World

FILE = {"filename": "links.txt", "size": 20}


def ask(made: World, **more: Any) -> Any:
    return made.api("POST", "/import", {**FILE, **more}, key=more.pop("key", ""))


def actions(answer: Any) -> list[str]:
    return [action["action"] for action in answer.json["available_actions"]]


def test_it_waits_for_its_file_and_says_where_it_goes(made: World) -> None:
    answer = ask(made)
    assert (answer.status, answer.json["import"]["status"]) == (202, "WAITING")
    assert actions(answer) == ["start", "cancel"]
    again = made.api("GET", answer.headers["location"])
    assert set(again.json["upload"]) == {"method", "url", "headers"}


def test_the_link_is_signed_for_the_size_the_type_and_the_sum(made: World) -> None:
    upload = ask(made, sha256="ab" * 32).json["upload"]
    query = parse_qs(urlsplit(upload["url"]).query)
    signed = query["X-Amz-SignedHeaders"][0].split(";")
    assert {"content-length", "content-type"} <= set(signed)
    assert query["X-Amz-Expires"] == ["900"]
    assert {name.lower() for name in upload["headers"]} == set(signed) - {"host"}


def test_a_file_that_has_not_come_cannot_be_started(made: World) -> None:
    place = ask(made).headers["location"]
    answer = made.api("POST", f"{place}/start", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "has not come yet" in answer.json["error"]["message"]
    assert made.api("GET", place).json["import"]["status"] == "WAITING"


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(made: World) -> None:
    answer = ask(made, size=100_000_001)
    assert (answer.status, answer.json["error"]["code"]) == (413, "TOO_LARGE")
    assert "100 MB" in answer.json["error"]["message"]
    assert made.api("GET", "/imports").json["imports"] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("size", 0), ("size", "20"), ("filename", ""), ("filename", "x" * 201), ("sha256", "AB" * 32), ("profile", "x")],
)
def test_what_is_wrong_is_named(field: str, value: Any, made: World) -> None:
    answer = ask(made, **{field: value})
    assert answer.status == 400
    assert [wrong["field"] for wrong in answer.json["error"]["details"]["fields"]] == [field]


def test_an_intent_has_three_characters_or_none(made: World) -> None:
    assert ask(made, intent_text="ab").status == 400
    assert ask(made, intent_text="").status == 202


def test_the_same_key_is_the_same_import_and_with_another_file_it_is_refused(made: World) -> None:
    first = made.api("POST", "/import", FILE, key="monday")
    again = made.api("POST", "/import", FILE, key="monday")
    other = made.api("POST", "/import", {**FILE, "size": 21}, key="monday")
    assert first.json["import"]["id"] == again.json["import"]["id"]
    assert (other.status, other.json["error"]["code"]) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert len(made.api("GET", "/imports").json["imports"]) == 1


def test_imports_are_listed_newest_first(made: World) -> None:
    names = ["a.txt", "b.txt"]
    for name in names:
        ask(made, filename=name)
    assert [one["filename"] for one in made.api("GET", "/imports").json["imports"]] == ["b.txt", "a.txt"]


@pytest.mark.parametrize("verb", ["start", "pause", "resume", "cancel"])
def test_an_import_that_is_not_there_is_not_found(verb: str, made: World) -> None:
    for given in ("01KA50B3C4D5E6F7G8H9J0K1M2", "no-id"):
        answer = made.api("POST", f"/imports/{given}/{verb}", {})
        assert (answer.status, answer.json["error"]["message"][:21]) == (404, "There is no such impo")


def test_a_pause_holds_it_where_it_is_and_resume_goes_on(made: World) -> None:
    paused: list[int] = []

    def instead(handler: Any, event: dict[str, Any]) -> Any:
        if not paused:
            paused.append(made.api("POST", f"/imports/{event['import']}/pause", {}).status)
        return handler(event)

    made.instead["import_lines"] = instead
    import_id = begin(made, "https://example.org/a\nhttps://example.org/b\n", process=False)
    made.settle()
    assert paused == [200]
    held = made.api("GET", f"/imports/{import_id}")
    assert (held.json["import"]["status"], held.json["import"]["counts"]["left"]) == ("PAUSED", 2)
    assert actions(held) == ["resume", "cancel"]
    assert made.heartbeat() == {}
    assert made.api("GET", "/items").json["items"] == []
    for _ in range(2):
        assert made.api("POST", f"/imports/{import_id}/resume", {}).status == 200
    made.settle()
    assert look(made, import_id)["status"] == "DONE"


def test_a_pause_amid_a_slice_loses_nothing_and_doubles_nothing(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lines are in, and its note is refused: they are found again after the pause."""
    note = slices._note
    ids: list[str] = []

    def pausing(*given: Any) -> None:
        if not ids:
            ids.append(given[1].id)
            made.api("POST", f"/imports/{given[1].id}/pause", {})
        note(*given)

    monkeypatch.setattr(slices, "_note", pausing)
    import_id = begin(made, "https://example.org/a\nhttps://example.org/b\n", process=False)
    made.settle()
    assert (look(made, import_id)["status"], look(made, import_id)["counts"]["left"]) == ("PAUSED", 2)
    assert len(made.api("GET", "/items").json["items"]) == 2
    made.api("POST", f"/imports/{import_id}/resume", {})
    made.settle()
    assert look(made, import_id)["counts"]["captured"] == 2
    assert {made.item(line["item"])["save_count"] for line in lines(made, import_id)} == {1}


def test_what_cannot_be_done_names_the_state_and_what_can(made: World) -> None:
    place = ask(made).headers["location"]
    answer = made.api("POST", f"{place}/pause", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "WAITING" in answer.json["error"]["message"]
    assert answer.json["error"]["details"]["status"] == "WAITING"
    assert [action["action"] for action in answer.json["error"]["details"]["available_actions"]] == ["start", "cancel"]


def test_what_was_read_of_a_file_is_not_kept_for_ever_and_resume_says_so(made: World) -> None:
    made.instead["import_lines"] = lambda _, event: made.api("POST", f"/imports/{event['import']}/pause", {})
    import_id = begin(made, "https://example.org/a\n", process=False)
    made.settle()
    del made.instead["import_lines"]
    files.remove_all(f"imports/{made.owner}/{import_id}/")  # as the bucket does in time
    answer = made.api("POST", f"/imports/{import_id}/resume", {})
    assert (answer.status, answer.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "90 days" in answer.json["error"]["message"] and "again" in answer.json["error"]["message"]
    assert look(made, import_id)["status"] == "PAUSED"
    assert made.api("POST", f"/imports/{import_id}/cancel", {}).status == 200


def test_cancelled_is_the_end_and_what_is_in_stays(made: World) -> None:
    import_id = begin(made, "https://example.org/a\n", process=False)
    made.settle()
    assert made.api("POST", f"/imports/{import_id}/cancel", {}).status == 409
    other = ask(made).headers["location"]
    assert made.api("POST", f"{other}/cancel", {}).json["import"]["status"] == "CANCELLED"
    assert made.api("POST", f"{other}/cancel", {}).status == 200
    assert len(made.api("GET", "/items").json["items"]) == 1


def test_a_file_that_never_comes_is_told_a_day_later(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ask(made)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 24 * 3600 - 60))
    assert made.heartbeat() == {}
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 24 * 3600 + 60))
    assert made.heartbeat() == {"let_go": 1}
    found = made.api("GET", answer.headers["location"])
    assert found.json["import"]["failure"]["error_code"] == "IMPORT_NO_FILE"
    assert actions(found) == []


def test_lines_can_be_asked_for_by_what_became_of_them(made: World) -> None:
    import_id = begin(made, "https://example.org/a\nabout:blank\nhttps://example.org/a\n", process=False)
    made.settle()
    assert [line["line"] for line in lines(made, import_id, "result=bad")] == [2]
    assert [line["line"] for line in lines(made, import_id, "result=duplicate")] == [3]
    assert made.api("GET", f"/imports/{import_id}/lines?result=lost").status == 400
    assert made.api("GET", f"/imports/{import_id}/lines?cursor=xyz").status == 400
    assert made.api("GET", f"/imports/{import_id}/lines?limit=101").status == 400


def test_tags_are_captured_changed_and_taken_away(made: World) -> None:
    item_id = made.capture(process=False, tags=["one", "one", " two  words "])
    assert made.item(item_id)["tags"] == ["one", "two words"]
    changed = made.api("PATCH", f"/items/{item_id}", {"tags": ["three"]}, if_match="*")
    assert changed.json["item"]["tags"] == ["three"]
    gone = made.api("PATCH", f"/items/{item_id}", {"tags": []}, if_match="*")
    assert "tags" not in gone.json["item"]
    for wrong in (["x" * 81], [""], ["tag"] * 51):
        assert made.api("PATCH", f"/items/{item_id}", {"tags": wrong}, if_match="*").status == 400


def test_a_second_upload_after_the_start_changes_nothing(made: World) -> None:
    answer = ask(made, process=False)
    send(answer.json["upload"], b"https://example.org/a\n")
    place = answer.headers["location"]
    made.api("POST", f"{place}/start", {})
    made.settle()
    send(answer.json["upload"], b"https://example.org/b\n")
    made.api("POST", f"{place}/start", {})
    made.settle()
    assert [item["url"] for item in made.api("GET", "/items").json["items"]] == ["https://example.org/a"]
