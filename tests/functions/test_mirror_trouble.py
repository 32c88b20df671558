"""mirror: errors and lost responses of Notion are reported, and the mirror recovers by itself."""

from typing import Any

import pytest

from functions.desk import add
from readdo import messages
from support.notion_server import NotionServer, column_text, notion_server, refusal
from support.notion_world import Mirrored, mirrored
from support.world import World


def test_page_with_a_lost_response_is_not_created_twice(synced_mirror: Mirrored) -> None:
    name = add(synced_mirror.world)["id"]

    def create_without_response(notion: NotionServer, method: str, path: str) -> Any:
        if (method, path) == ("POST", "/v1/pages"):
            notion.pages["lost"] = {column: {"rich_text": []} for column in notion.columns}
            notion.pages["lost"]["Id"] = {"rich_text": [{"text": {"content": name}}]}
            return 0, {}, {}
        return None

    synced_mirror.notion.tricks = [create_without_response, create_without_response]
    synced_mirror.turn()
    assert synced_mirror.told["code"] == "SILENT"
    synced_mirror.wait()
    synced_mirror.beat()
    assert synced_mirror.told == {"status": "on"}
    assert (len(synced_mirror.notion.of(name)), synced_mirror.notion.text(name, "Status")) == (1, "todo")


@pytest.mark.parametrize(
    ("trick", "code", "words"),
    [
        (refusal(401, "unauthorized", "API token is invalid."), "TOKEN_UNKNOWN", "store it (`make key`)"),
        (refusal(403, "restricted_resource", "no"), "READ_ONLY", "“insert content”"),
        (refusal(404, "object_not_found", "no"), "DATABASE_HIDDEN", "Connections"),
        (refusal(400, "validation_error", "数据库已锁定 locked"), "REFUSED", "数据库已锁定 locked"),
        (refusal(429, "rate_limited", "slow", Retry_After="1800"), "TOO_OFTEN", "automatically"),
        (refusal(409, "conflict_error", "again"), "BROKEN", "409"),
        (refusal(503, "service_unavailable", "down"), "BROKEN", "503"),
        ((0, {}, {}), "SILENT", "did not respond"),
    ],
)
def test_error_of_notion_is_reported_and_recovered(synced_mirror: Mirrored, trick: Any, code: str, words: str) -> None:
    name = add(synced_mirror.world)["id"]
    synced_mirror.notion.tricks = [lambda *_: trick]
    synced_mirror.turn()
    status = synced_mirror.told
    assert status["code"] == code and words in status["message"]
    assert messages.translate(status, "zh"), "the page says it in Chinese too"
    assert (status["status"], synced_mirror.ended) == ("trouble", "RESTING")
    add(synced_mirror.world)
    synced_mirror.changed()
    assert synced_mirror.world.heartbeat() == {}, "news do not shorten its wait"
    synced_mirror.wait()
    synced_mirror.beat()
    assert synced_mirror.told == {"status": "on"}
    assert synced_mirror.notion.text(name, "Status") == "todo"


def test_sync_waits_as_long_as_retry_after(synced_mirror: Mirrored) -> None:
    add(synced_mirror.world)
    synced_mirror.notion.tricks = [lambda *_: refusal(429, "rate_limited", "slow", Retry_After="3")]
    synced_mirror.turn()
    assert (synced_mirror.told, synced_mirror.waits.count(3.0)) == ({"status": "on"}, 1)


def test_rejected_page_does_not_block_other_pages(synced_mirror: Mirrored) -> None:
    bad, good = add(synced_mirror.world, title="bad")["id"], add(synced_mirror.world, title="good")["id"]
    synced_mirror.notion.refuses = lambda properties: column_text(properties["Name"]) == "bad"
    synced_mirror.turn()
    assert (len(synced_mirror.notion.of(good)), len(synced_mirror.notion.of(bad)), synced_mirror.told["code"]) == (
        1,
        0,
        "REFUSED",
    )
    synced_mirror.notion.refuses = lambda _: False
    synced_mirror.wait()
    synced_mirror.beat()
    assert (len(synced_mirror.notion.of(bad)), synced_mirror.told) == (1, {"status": "on"})


def test_column_of_another_type_is_not_overwritten(user_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with notion_server(Status="status") as notion, mirrored(user_world, notion, monkeypatch) as mirror:
        user_world.heartbeat()
        mirror.beat()
        assert (mirror.told["code"], notion.columns["Status"]["type"]) == ("COLUMN_TAKEN", "status")
        assert "Status" in mirror.told["message"] and not notion.pages


def test_missing_notion_token_is_reported(synced_mirror: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTION_TOKEN_PARAMETER", "/readdo/another")
    before = len(synced_mirror.notion.asked)
    synced_mirror.turn()
    assert synced_mirror.told["code"] == "TOKEN_UNREADABLE" and "/readdo/another" in synced_mirror.told["message"]
    assert len(synced_mirror.notion.asked) == before


def test_late_sync_writes_nothing(synced_mirror: Mirrored) -> None:
    add(synced_mirror.world)
    synced_mirror.changed()
    epoch, pages = synced_mirror.row["epoch"], len(synced_mirror.notion.pages)
    assert synced_mirror.world.invoke("mirror", {"owner": synced_mirror.world.owner, "epoch": epoch - 1}) == {
        "ended": "lost"
    }
    assert synced_mirror.world.invoke("mirror", {"owner": synced_mirror.world.owner, "epoch": epoch}) == {
        "ended": "lost"
    }
    assert len(synced_mirror.notion.pages) == pages


def test_sync_delivered_twice_runs_once(synced_mirror: Mirrored) -> None:
    name = add(synced_mirror.world)["id"]
    synced_mirror.changed()
    second_results: list[dict[str, str]] = []

    def handle_twice(handler: Any, event: Any) -> Any:
        synced_mirror.notion.tricks = [lambda *_: None, lambda *_: second_results.append(handler(event))]
        return handler(event)

    synced_mirror.world.instead["mirror"] = handle_twice
    synced_mirror.beat()
    assert (second_results, len(synced_mirror.notion.of(name))) == ([{"ended": "lost"}], 1)


def test_dead_sync_is_restarted(synced_mirror: Mirrored) -> None:
    name = add(synced_mirror.world)["id"]
    synced_mirror.changed()
    synced_mirror.world.instead["mirror"] = lambda _handler, _event: {}
    assert synced_mirror.beat() == {"sync": 1}
    assert synced_mirror.world.heartbeat() == {}, "its lease is not over"
    del synced_mirror.world.instead["mirror"]
    synced_mirror.wait()
    assert synced_mirror.world.heartbeat() == {"start_again": 1}
    assert len(synced_mirror.notion.of(name)) == 1
