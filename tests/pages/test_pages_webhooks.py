"""Webhooks by hand, without scripts: added with a secret shown once, tested, paused, resumed, removed, sent again."""

from collections.abc import Iterator
from typing import Any

import pytest

from readdo.lifecycle.write import Write
from readdo.store import keys, tokens
from support.reader import Page, Reader
from support.world import World

PAGE = "/my/settings/webhooks"
URL = "https://hooks.example.com/readdo"


@pytest.fixture(autouse=True)
def _none(shared: World) -> Iterator[None]:
    yield
    for each in shared.api("GET", "/webhooks").json["webhooks"]:
        shared.api("DELETE", f"/webhooks/{each['id']}")


def added(reader: Reader) -> Page:
    return reader.send(reader.look(PAGE).form(PAGE), url=URL)


def the_one(world: World) -> dict[str, Any]:
    (found,) = world.api("GET", "/webhooks").json["webhooks"]
    return dict(found)


def test_from_the_settings_to_a_secret_that_is_shown_once(reader: Reader, shared: World) -> None:
    page = reader.look(reader.look("/my/settings").link(PAGE))
    page = reader.send(page.form(PAGE), url=f"  {URL} ")
    (secret,) = page.tree.cssselect(".made .secret")
    assert secret.text.startswith("rdw_")
    assert the_one(shared)["events"] == ["FAILED_AI", "FAILED_EXPORT", "FAILED_EXTRACTION", "READY"]
    again = reader.look(PAGE)
    assert URL in again.words()
    assert secret.text not in again.text


def test_what_cannot_be_comes_back_as_it_was_written(reader: Reader, shared: World) -> None:
    page = reader.send(reader.look(PAGE).form(PAGE), url="https://10.0.0.1/<b>", events=["SHIPPED"])
    assert page.status == 400
    assert page.tree.cssselect("input[name=url]")[0].get("value") == "https://10.0.0.1/<b>"
    assert [box.get("value") for box in page.tree.cssselect("input[checked]")] == ["SHIPPED"]
    assert page.tree.cssselect("[role=alert]")
    assert shared.api("GET", "/webhooks").json == {"webhooks": []}


def test_tested_paused_resumed_and_removed(reader: Reader, shared: World) -> None:
    added(reader)
    page = reader.send(reader.look(PAGE).form("/test"))
    assert "webhook.test" in page.words()
    assert "There is no receiver called hooks.example.com" in page.words(), "what the last try met"
    page = reader.send(page.form("/redeliver"))
    given = shared.api("GET", f"/webhooks/{the_one(shared)['id']}/deliveries").json["deliveries"]
    assert [len(one["attempts"]) for one in given] == [2], "the same one, once more"
    page = reader.send(page.form("/pause"))
    assert the_one(shared)["status"] == "PAUSED"
    assert not page.has("/test")
    page = reader.send(page.form("/resume"))
    assert the_one(shared)["status"] == "ACTIVE"
    reader.send(page.form("/remove"))
    assert shared.api("GET", "/webhooks").json == {"webhooks": []}


def test_what_a_receiver_answers_is_text(english: Reader, shared: World) -> None:
    added(english)
    hook = the_one(shared)["id"]
    given = shared.api("POST", f"/webhooks/{hook}/test").json["delivery"]["id"]

    told = {"at": "2026-11-19T00:00:00.000Z", "message": "<script>alert(1)</script>", "answer": "<script>"}
    shared.table.write(Write(keys.delivery(shared.owner, hook, given), sets={"attempts": [told]}))
    page = english.look(PAGE)
    assert "<script>alert" not in page.text
    assert "<script>alert(1)</script>" in page.words()


def test_a_lesser_token_looks_and_changes_nothing(shared: World) -> None:
    added(Reader(shared))
    for scope, looks in (("read", 200), ("write", 403)):
        lesser = Reader(shared, token=tokens.issue(shared.table, shared.owner, "lesser", [scope]))
        page = lesser.look(PAGE)
        assert page.status == looks
        form = Reader(shared).look(PAGE).form("/remove")
        assert lesser.send(form).status == 403
    assert the_one(shared)["status"] == "ACTIVE"


def test_anothers_webhook_is_not_there(shared: World) -> None:
    added(Reader(shared))
    form = Reader(shared).look(PAGE).form("/remove")
    stranger = Reader(shared, token=tokens.issue(shared.table, "another", "theirs"))
    assert URL not in stranger.look(PAGE).text
    assert stranger.send(form).status == 404
    assert the_one(shared)["url"] == URL
