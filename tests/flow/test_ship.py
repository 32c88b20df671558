"""From READY to SHIPPED: exports through the real workflow, and what happens to the item meanwhile."""

import hashlib
import threading
from typing import Any

import boto3
import export as room
import pytest

from readdo import clock
from readdo.errors import StepFailed
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import World


@pytest.fixture
def ready(made: World) -> str:
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "READY"
    return item_id


def export(made: World, item_id: str, key: str = "first", **body: Any) -> Any:
    return made.api("POST", f"/items/{item_id}/export", {"export_key": key, **body})


def failing(*formats: str) -> Any:
    """Instead of the room: these formats cannot be drawn."""

    def instead(handler: Any, event: dict[str, Any]) -> Any:
        draw = room.draw

        def broken(form: str, *rest: Any, **named: Any) -> Any:
            if form in formats:
                raise StepFailed("EXPORT_RENDER_FAILED", f"The {form} cannot be drawn.")
            return draw(form, *rest, **named)

        room.draw = broken
        try:
            return handler(event)
        finally:
            room.draw = draw

    return instead


def overdue(made: World, item_id: str, key: str = "first") -> None:
    place = keys.export(made.owner, item_id, key)
    made.table.write(Write(place, sets={"due_at": clock.after(clock.now(), -1)}))


def files_of(answer: Any) -> dict[str, dict[str, Any]]:
    return {file["type"]: file for file in answer.json["export"]["payload"]["files"]}


def body_of(made: World, path: str) -> bytes:
    answer = made.api("GET", f"/{path}")
    assert answer.status == 302, answer.json
    key = answer.headers["location"].split("?")[0].split("/exports/", 1)[1]
    found = boto3.client("s3").get_object(Bucket=made.outputs["BucketName"], Key=f"exports/{key}")
    return bytes(found["Body"].read())


def test_an_export_runs_then_is_done_and_its_item_is_shipped(made: World, ready: str) -> None:
    first = export(made, ready)
    assert first.status == 202
    assert first.headers["location"] == f"/items/{ready}/exports/first"
    assert first.json["export"]["status"] == "RUNNING"
    made.settle()
    again, looked = export(made, ready), made.api("GET", first.headers["location"])
    assert (again.status, looked.status) == (200, 200)
    assert again.json == looked.json
    assert again.json["item"]["status"] == "SHIPPED"
    assert set(files_of(again)) == {"png", "md", "caption"}
    for file in files_of(again).values():
        body = body_of(made, file["path"])
        assert (len(body), hashlib.sha256(body).hexdigest()) == (file["bytes"], file["sha256"])


def test_the_same_key_makes_the_files_once(made: World, ready: str) -> None:
    export(made, ready)
    made.settle()
    export(made, ready)
    made.settle()
    assert [room for room, _ in made.invoked].count("export") == 1


def test_the_same_key_with_another_wish_is_refused(made: World, ready: str) -> None:
    export(made, ready)
    made.settle()
    answer = export(made, ready, formats=["json"])
    assert (answer.status, answer.json["error"]["code"]) == (422, "IDEMPOTENCY_KEY_REUSED")


def test_another_key_exports_again_and_the_first_files_stay(made: World, ready: str) -> None:
    export(made, ready)
    made.settle()
    export(made, ready, key="second", options={"theme": "DARK", "layout": "CARD_1x1_V1"})
    made.settle()
    shown = made.api("GET", f"/items/{ready}").json
    assert shown["item"]["status"] == "SHIPPED"
    assert [(e["version"], e["meta"]["theme"]) for e in shown["exports"]] == [(1, "LIGHT"), (2, "DARK")]
    first, second = (e["payload"]["files"][0] for e in shown["exports"])
    assert first["sha256"] != second["sha256"]
    assert body_of(made, first["path"]).startswith(b"\x89PNG")


def test_a_failed_export_says_so_and_keeps_what_it_made(made: World, ready: str) -> None:
    made.instead["export"] = failing("png")
    export(made, ready)
    item = made.settled(ready)
    assert item["status"] == "FAILED_EXPORT"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("export", "EXPORT_RENDER_FAILED")
    looked = made.api("GET", f"/items/{ready}/exports/first")
    assert looked.json["export"]["status"] == "FAILED"
    made_before = files_of(looked)
    assert set(made_before) == {"md", "caption"}
    assert body_of(made, made_before["md"]["path"])

    made.instead.clear()
    assert export(made, ready).status == 202
    made.settle()
    done = export(made, ready)
    assert (done.status, done.json["item"]["status"]) == (200, "SHIPPED")
    assert {k: v for k, v in files_of(done).items() if k != "png"} == made_before


def test_a_failed_export_is_repeated_by_the_heartbeat(made: World, ready: str) -> None:
    made.instead["export"] = failing("png")
    export(made, ready)
    assert made.settled(ready)["failure"]["attempts"] == 1
    made.instead.clear()
    assert made.heartbeat() == {}
    overdue(made, ready)
    assert made.heartbeat() == {"auto_retry": 1}
    item = made.settled(ready)
    assert (item["status"], item["attempts"]) == ("SHIPPED", 0)


def test_an_export_that_fails_again_leaves_a_shipped_item_shipped(made: World, ready: str) -> None:
    export(made, ready)
    made.settle()
    made.instead["export"] = failing("png")
    export(made, ready, key="second")
    item = made.settled(ready)
    assert item["status"] == "SHIPPED"
    assert item["last_export_failure"]["error_code"] == "EXPORT_RENDER_FAILED"
    assert files_of(made.api("GET", f"/items/{ready}/exports/first"))


@pytest.mark.parametrize("body", [{}, {"mode": "REGENERATE"}])
def test_an_export_that_ends_after_the_item_moved_on_ends_alone(made: World, ready: str, body: dict[str, str]) -> None:
    call = "process" if body else "archive"
    asked = threading.Event()

    def meanwhile(handler: Any, event: dict[str, Any]) -> Any:
        assert asked.wait(60)  # a function's process takes one call after the other
        assert made.api("POST", f"/items/{ready}/{call}", body).status in (200, 202)
        return handler(event)

    made.instead["export"] = meanwhile
    export(made, ready)
    asked.set()
    item = made.settled(ready)
    assert item["status"] == ("READY" if body else "ARCHIVED")
    assert made.api("GET", f"/items/{ready}/exports/first").json["export"]["status"] == "DONE"


def test_a_dead_export_is_started_again_and_the_dead_one_writes_nothing(made: World, ready: str) -> None:
    late: list[Any] = []

    def die(handler: Any, event: dict[str, Any]) -> Any:
        if not late:
            late.append((handler, event))
            raise _Gone
        return handler(event)

    made.instead["export"] = die
    made.instead["record_failure"] = die
    export(made, ready)
    made.settle()
    # The failure of the export was recorded by the second room; a worker that dies records nothing at all.
    late_handler, event = late[0]
    assert made.item(ready)["status"] in ("FAILED_EXPORT", "READY")
    overdue(made, ready)
    made.heartbeat()
    assert made.settled(ready)["status"] == "SHIPPED"
    with pytest.raises(Exception, match="is not at epoch"):
        late_handler(event)


class _Gone(Exception):
    pass


def test_an_item_shipped_by_hand_can_be_archived_and_come_back(made: World, ready: str) -> None:
    assert made.api("POST", f"/items/{ready}/ship").json["item"]["status"] == "SHIPPED"
    assert made.api("POST", f"/items/{ready}/archive").json["item"]["archive_reason"] == "USER_ARCHIVE"
    back = made.api("POST", f"/items/{ready}/unarchive")
    assert (back.status, back.json["item"]["status"]) == (200, "READY")
    assert "archive_reason" not in back.json["item"]


def test_an_item_archived_before_it_was_read_is_read_when_it_comes_back(made: World) -> None:
    item_id = made.capture(process=False)
    made.api("POST", f"/items/{item_id}/archive")
    back = made.api("POST", f"/items/{item_id}/unarchive")
    assert back.json["item"]["status"] == "QUEUED"
    assert made.settled(item_id)["status"] == "READY"


def test_the_key_of_a_replaced_set_is_refused_in_words(made: World, ready: str) -> None:
    made.instead["export"] = failing("png")
    export(made, ready)
    assert made.settled(ready)["status"] == "FAILED_EXPORT"
    made.instead.clear()
    made.api("POST", f"/items/{ready}/process")
    assert made.settled(ready)["status"] == "READY"
    answer = export(made, ready)
    assert (answer.status, answer.json["error"]["code"]) == (409, "EXPORT_NOT_ALLOWED")
    assert "new key" in answer.json["error"]["message"]
    export(made, ready, key="second")
    assert made.settled(ready)["status"] == "SHIPPED"


def test_a_card_that_never_passed_the_gate_cannot_be_shipped(made: World, ready: str) -> None:
    made.instead["gate"] = broken_gate
    made.api("POST", f"/items/{ready}/process", {"mode": "REGENERATE"})
    assert made.settled(ready)["status"] == "FAILED_AI"
    made.instead.clear()
    made.api("POST", f"/items/{ready}/keep")
    answer = export(made, ready, card_version=2)
    assert (answer.status, answer.json["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert export(made, ready, card_version=1).status == 202
    assert made.settled(ready)["status"] == "SHIPPED"


def broken_gate(_handler: Any, _event: dict[str, Any]) -> Any:
    raise StepFailed("RUN_INCONSISTENT", "It does not fit together.", retryable=False)


@pytest.mark.parametrize("call", ["archive", "process"])
def test_a_failed_export_that_nobody_waits_for_is_let_be(made: World, ready: str, call: str) -> None:
    made.instead["export"] = failing("png")
    export(made, ready)
    made.settle()
    made.instead.clear()
    made.api("POST", f"/items/{ready}/{call}")
    made.settle()
    overdue(made, ready)
    assert made.heartbeat() == {"let_be": 1}
    assert made.heartbeat() == {}
    assert made.settled(ready)["status"] == {"archive": "ARCHIVED", "process": "READY"}[call]
