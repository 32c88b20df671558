"""From READY to SHIPPED: exports on the real workflow, and changes of the item meanwhile."""

import hashlib
import threading
from typing import Any

import boto3
import export as export_function
import pytest

from readdo import clock
from readdo.errors import StepFailed
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from support.world import World


@pytest.fixture
def ready(fresh: World) -> str:
    item_id = fresh.capture()
    assert fresh.settled(item_id)["status"] == "READY"
    return item_id


def export(world: World, item_id: str, key: str = "first", **body: Any) -> Any:
    return world.api("POST", f"/items/{item_id}/export", {"export_key": key, **body})


def failing_render(*formats: str) -> Any:
    """Replace the export function: these formats cannot be rendered."""

    def handle_with_failing_draw(handler: Any, event: dict[str, Any]) -> Any:
        draw = export_function.draw

        def draw_or_fail(form: str, *rest: Any, **options: Any) -> Any:
            if form in formats:
                raise StepFailed("EXPORT_RENDER_FAILED", f"The {form} cannot be drawn.")
            return draw(form, *rest, **options)

        export_function.draw = draw_or_fail
        try:
            return handler(event)
        finally:
            export_function.draw = draw

    return handle_with_failing_draw


def make_overdue(world: World, item_id: str, key: str = "first") -> None:
    place = item_keys.export(world.owner, item_id, key)
    world.table.write(Write(place, sets={"due_at": clock.after(clock.now(), -1)}))


def files_of(answer: Any) -> dict[str, dict[str, Any]]:
    return {file["type"]: file for file in answer.json["export"]["payload"]["files"]}


def download(world: World, path: str) -> bytes:
    answer = world.api("GET", f"/{path}")
    assert answer.status == 302, answer.json
    key = answer.headers["location"].split("?")[0].split("/exports/", 1)[1]
    object_ = boto3.client("s3").get_object(Bucket=world.outputs["BucketName"], Key=f"exports/{key}")
    return bytes(object_["Body"].read())


def test_export_finishes_and_ships_its_item(fresh: World, ready: str) -> None:
    first = export(fresh, ready)
    assert first.status == 202
    assert first.headers["location"] == f"/items/{ready}/exports/first"
    assert first.json["export"]["status"] == "RUNNING"
    fresh.settle()
    again, polled = export(fresh, ready), fresh.api("GET", first.headers["location"])
    assert (again.status, polled.status) == (200, 200)
    assert again.json == polled.json
    assert again.json["item"]["status"] == "SHIPPED"
    assert set(files_of(again)) == {"png", "md", "caption"}
    for file in files_of(again).values():
        body = download(fresh, file["path"])
        assert (len(body), hashlib.sha256(body).hexdigest()) == (file["bytes"], file["sha256"])


def test_export_key_renders_the_files_once(fresh: World, ready: str) -> None:
    export(fresh, ready)
    fresh.settle()
    export(fresh, ready)
    fresh.settle()
    assert [name for name, _ in fresh.invoked].count("export") == 1


def test_export_key_is_not_valid_for_other_options(fresh: World, ready: str) -> None:
    export(fresh, ready)
    fresh.settle()
    answer = export(fresh, ready, formats=["json"])
    assert (answer.status, answer.json["error"]["code"]) == (422, "IDEMPOTENCY_KEY_REUSED")


def test_second_export_keeps_the_files_of_the_first(fresh: World, ready: str) -> None:
    export(fresh, ready)
    fresh.settle()
    export(fresh, ready, key="second", options={"theme": "DARK", "layout": "CARD_1x1_V1"})
    fresh.settle()
    detail = fresh.api("GET", f"/items/{ready}").json
    assert detail["item"]["status"] == "SHIPPED"
    assert [(e["version"], e["meta"]["theme"]) for e in detail["exports"]] == [(1, "LIGHT"), (2, "DARK")]
    first, second = (e["payload"]["files"][0] for e in detail["exports"])
    assert first["sha256"] != second["sha256"]
    assert download(fresh, first["path"]).startswith(b"\x89PNG")


def test_failed_export_has_its_error_and_keeps_finished_files(fresh: World, ready: str) -> None:
    fresh.instead["export"] = failing_render("png")
    export(fresh, ready)
    item = fresh.settled(ready)
    assert item["status"] == "FAILED_EXPORT"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("export", "EXPORT_RENDER_FAILED")
    response = fresh.api("GET", f"/items/{ready}/exports/first")
    assert response.json["export"]["status"] == "FAILED"
    first_files = files_of(response)
    assert set(first_files) == {"md", "caption"}
    assert download(fresh, first_files["md"]["path"])

    fresh.instead.clear()
    assert export(fresh, ready).status == 202
    fresh.settle()
    done = export(fresh, ready)
    assert (done.status, done.json["item"]["status"]) == (200, "SHIPPED")
    assert {k: v for k, v in files_of(done).items() if k != "png"} == first_files


def test_heartbeat_retries_a_failed_export(fresh: World, ready: str) -> None:
    fresh.instead["export"] = failing_render("png")
    export(fresh, ready)
    assert fresh.settled(ready)["failure"]["attempts"] == 1
    fresh.instead.clear()
    assert fresh.heartbeat() == {}
    make_overdue(fresh, ready)
    assert fresh.heartbeat() == {"auto_retry": 1}
    item = fresh.settled(ready)
    assert (item["status"], item["attempts"]) == ("SHIPPED", 0)


def test_later_failed_export_leaves_the_item_shipped(fresh: World, ready: str) -> None:
    export(fresh, ready)
    fresh.settle()
    fresh.instead["export"] = failing_render("png")
    export(fresh, ready, key="second")
    item = fresh.settled(ready)
    assert item["status"] == "SHIPPED"
    assert item["last_export_failure"]["error_code"] == "EXPORT_RENDER_FAILED"
    assert files_of(fresh.api("GET", f"/items/{ready}/exports/first"))


@pytest.mark.parametrize("body", [{}, {"mode": "REGENERATE"}])
def test_export_that_ends_after_the_item_moved_does_not_move_it(fresh: World, ready: str, body: dict[str, str]) -> None:
    call = "process" if body else "archive"
    request_sent = threading.Event()

    def move_item_first(handler: Any, event: dict[str, Any]) -> Any:
        assert request_sent.wait(60)  # a function's process handles one call at a time
        assert fresh.api("POST", f"/items/{ready}/{call}", body).status in (200, 202)
        return handler(event)

    fresh.instead["export"] = move_item_first
    export(fresh, ready)
    request_sent.set()
    item = fresh.settled(ready)
    assert item["status"] == ("READY" if body else "ARCHIVED")
    assert fresh.api("GET", f"/items/{ready}/exports/first").json["export"]["status"] == "DONE"


def test_dead_export_is_restarted_and_its_late_worker_writes_nothing(fresh: World, ready: str) -> None:
    late: list[Any] = []

    def vanish_once(handler: Any, event: dict[str, Any]) -> Any:
        if not late:
            late.append((handler, event))
            raise _Vanished
        return handler(event)

    fresh.instead["export"] = vanish_once
    fresh.instead["record_failure"] = vanish_once
    export(fresh, ready)
    fresh.settle()
    # The second event is record_failure's; a worker that dies records no failure.
    late_handler, event = late[0]
    assert fresh.item(ready)["status"] in ("FAILED_EXPORT", "READY")
    make_overdue(fresh, ready)
    fresh.heartbeat()
    assert fresh.settled(ready)["status"] == "SHIPPED"
    with pytest.raises(Exception, match="is not at epoch"):
        late_handler(event)


class _Vanished(Exception):
    pass


def test_item_shipped_by_the_user_can_be_archived_and_unarchived(fresh: World, ready: str) -> None:
    assert fresh.api("POST", f"/items/{ready}/ship").json["item"]["status"] == "SHIPPED"
    assert fresh.api("POST", f"/items/{ready}/archive").json["item"]["archive_reason"] == "USER_ARCHIVE"
    back = fresh.api("POST", f"/items/{ready}/unarchive")
    assert (back.status, back.json["item"]["status"]) == (200, "READY")
    assert "archive_reason" not in back.json["item"]


def test_item_archived_before_processing_is_processed_after_unarchive(fresh: World) -> None:
    item_id = fresh.capture(process=False)
    fresh.api("POST", f"/items/{item_id}/archive")
    back = fresh.api("POST", f"/items/{item_id}/unarchive")
    assert back.json["item"]["status"] == "QUEUED"
    assert fresh.settled(item_id)["status"] == "READY"


def test_export_key_of_a_replaced_set_is_refused(fresh: World, ready: str) -> None:
    fresh.instead["export"] = failing_render("png")
    export(fresh, ready)
    assert fresh.settled(ready)["status"] == "FAILED_EXPORT"
    fresh.instead.clear()
    fresh.api("POST", f"/items/{ready}/process")
    assert fresh.settled(ready)["status"] == "READY"
    answer = export(fresh, ready)
    assert (answer.status, answer.json["error"]["code"]) == (409, "EXPORT_NOT_ALLOWED")
    assert "new key" in answer.json["error"]["message"]
    export(fresh, ready, key="second")
    assert fresh.settled(ready)["status"] == "SHIPPED"


def test_unpublished_card_cannot_be_exported(fresh: World, ready: str) -> None:
    fresh.instead["gate"] = fail_gate
    fresh.api("POST", f"/items/{ready}/process", {"mode": "REGENERATE"})
    assert fresh.settled(ready)["status"] == "FAILED_AI"
    fresh.instead.clear()
    fresh.api("POST", f"/items/{ready}/keep")
    answer = export(fresh, ready, card_version=2)
    assert (answer.status, answer.json["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert export(fresh, ready, card_version=1).status == 202
    assert fresh.settled(ready)["status"] == "SHIPPED"


def fail_gate(_handler: Any, _event: dict[str, Any]) -> Any:
    raise StepFailed("RUN_INCONSISTENT", "It does not fit together.", retryable=False)


@pytest.mark.parametrize("call", ["archive", "process"])
def test_failed_export_of_a_moved_item_is_not_retried(fresh: World, ready: str, call: str) -> None:
    fresh.instead["export"] = failing_render("png")
    export(fresh, ready)
    fresh.settle()
    fresh.instead.clear()
    fresh.api("POST", f"/items/{ready}/{call}")
    fresh.settle()
    make_overdue(fresh, ready)
    assert fresh.heartbeat() == {"let_be": 1}
    assert fresh.heartbeat() == {}
    assert fresh.settled(ready)["status"] == {"archive": "ARCHIVED", "process": "READY"}[call]
