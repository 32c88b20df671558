"""What Notion refuses, loses and forgets, and turns that die: all is told in words, and mended by itself."""

from typing import Any

import pytest
from desk import add
from screens import failures

from support.notion_server import NotionServer, column_text, notion_server, refusal
from support.notion_world import Mirrored, mirrored
from support.world import World


def test_a_page_whose_answer_was_lost_is_found_and_not_made_a_second_time(on: Mirrored) -> None:
    name = add(on.world)["id"]

    def made_and_silent(notion: NotionServer, method: str, path: str) -> Any:
        if (method, path) == ("POST", "/v1/pages"):
            notion.pages["lost"] = {column: {"rich_text": []} for column in notion.columns}
            notion.pages["lost"]["Id"] = {"rich_text": [{"text": {"content": name}}]}
            return 0, {}, {}
        return None

    on.notion.tricks = [made_and_silent, made_and_silent]
    on.turn()
    assert on.told["code"] == "SILENT"
    on.wait()
    on.beat()
    assert on.told == {"status": "on"}
    assert (len(on.notion.of(name)), on.notion.text(name, "Status")) == (1, "todo")


@pytest.mark.parametrize(
    ("trick", "code", "words"),
    [
        (refusal(401, "unauthorized", "API token is invalid."), "TOKEN_UNKNOWN", "store it (`make key`)"),
        (refusal(403, "restricted_resource", "no"), "READ_ONLY", "Allow it"),
        (refusal(404, "object_not_found", "no"), "DATABASE_HIDDEN", "Connections"),
        (refusal(400, "validation_error", "数据库已锁定 locked"), "REFUSED", "数据库已锁定 locked"),
        (refusal(429, "rate_limited", "slow", Retry_After="1800"), "TOO_OFTEN", "by itself"),
        (refusal(409, "conflict_error", "again"), "BROKEN", "409"),
        (refusal(503, "service_unavailable", "down"), "BROKEN", "503"),
        ((0, {}, {}), "SILENT", "did not answer"),
    ],
)
def test_what_notion_refuses_is_told_in_words_and_mended_by_itself(
    on: Mirrored, trick: Any, code: str, words: str
) -> None:
    name = add(on.world)["id"]
    on.notion.tricks = [lambda *_: trick]
    on.turn()
    told = on.told
    assert told["code"] == code and words in told["message"]
    assert failures.in_chinese(told["message"]), "the page says it in Chinese too"
    assert (told["status"], on.ended) == ("trouble", "RESTING")
    add(on.world)
    on.changed()
    assert on.world.heartbeat() == {}, "news do not shorten its wait"
    on.wait()
    on.beat()
    assert on.told == {"status": "on"}
    assert on.notion.text(name, "Status") == "todo"


def test_a_wait_that_notion_asks_for_is_kept(on: Mirrored) -> None:
    add(on.world)
    on.notion.tricks = [lambda *_: refusal(429, "rate_limited", "slow", Retry_After="3")]
    on.turn()
    assert (on.told, on.waits.count(3.0)) == ({"status": "on"}, 1)


def test_one_page_that_is_refused_does_not_keep_the_others_away(on: Mirrored) -> None:
    bad, good = add(on.world, title="bad")["id"], add(on.world, title="good")["id"]
    on.notion.refuses = lambda properties: column_text(properties["Name"]) == "bad"
    on.turn()
    assert (len(on.notion.of(good)), len(on.notion.of(bad)), on.told["code"]) == (1, 0, "REFUSED")
    on.notion.refuses = lambda _: False
    on.wait()
    on.beat()
    assert (len(on.notion.of(bad)), on.told) == (1, {"status": "on"})


def test_a_column_of_another_kind_is_not_written_over(somebodys: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with notion_server(Status="status") as notion, mirrored(somebodys, notion, monkeypatch) as to:
        somebodys.heartbeat()
        to.beat()
        assert (to.told["code"], notion.columns["Status"]["type"]) == ("COLUMN_TAKEN", "status")
        assert "Status" in to.told["message"] and not notion.pages


def test_a_token_that_is_not_there_is_told(on: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTION_TOKEN_PARAMETER", "/readdo/another")
    before = len(on.notion.asked)
    on.turn()
    assert on.told["code"] == "TOKEN_UNREADABLE" and "/readdo/another" in on.told["message"]
    assert len(on.notion.asked) == before


def test_a_turn_that_is_late_writes_nothing(on: Mirrored) -> None:
    add(on.world)
    on.changed()
    epoch, pages = on.row["epoch"], len(on.notion.pages)
    assert on.world.invoke("mirror", {"owner": on.world.owner, "epoch": epoch - 1}) == {"ended": "lost"}
    assert on.world.invoke("mirror", {"owner": on.world.owner, "epoch": epoch}) == {"ended": "lost"}
    assert len(on.notion.pages) == pages


def test_a_turn_that_is_handed_over_twice_is_taken_once(on: Mirrored) -> None:
    name = add(on.world)["id"]
    on.changed()
    twice: list[dict[str, str]] = []

    def again(handler: Any, event: Any) -> Any:
        on.notion.tricks = [lambda *_: None, lambda *_: twice.append(handler(event))]
        return handler(event)

    on.world.instead["mirror"] = again
    on.beat()
    assert (twice, len(on.notion.of(name))) == ([{"ended": "lost"}], 1)


def test_a_turn_that_died_is_begun_again(on: Mirrored) -> None:
    name = add(on.world)["id"]
    on.changed()
    on.world.instead["mirror"] = lambda _handler, _event: {}
    assert on.beat() == {"sync": 1}
    assert on.world.heartbeat() == {}, "its lease is not over"
    del on.world.instead["mirror"]
    on.wait()
    assert on.world.heartbeat() == {"start_again": 1}
    assert len(on.notion.of(name)) == 1
