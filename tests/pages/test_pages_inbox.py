"""The inbox: groups in their order, what a row tells, and that its price does not depend on what it holds."""

import pytest
from page_items import INTENTS, TEXTS, item_in, ready

from readdo import clock, ids
from readdo.lifecycle.write import Write
from readdo.store import inbox, keys, tokens
from readdo.store.table import DynamoTable
from support.reader import Reader
from support.world import World

ORDER = ["read_next", "worth_it", "if_time", "in_progress", "attention", "skip"]


def alone(world: World, name: str, language: str = "en") -> Reader:
    """Somebody whose inbox nobody else fills."""
    return Reader(world, token=tokens.issue(world.table, name, "own"), language=language)


def put(world: World, owner: str, status: str, priority: str = "", **more: object) -> str:
    item_id = ids.new(clock.now())
    place = inbox.place_ready(priority, 50.0, item_id) if priority else inbox.place(status, item_id)
    scored = (
        {"priority": priority, "match_score": 50, "first_reason": "It is short.", "more_reasons": 2} if priority else {}
    )
    row = {
        "id": item_id,
        "owner": owner,
        "status": status,
        "version": 1,
        "created_at": clock.now(),
        "title": f"{status} {priority}",
        "intent_text": "see where it stands",
        "made": {},
        "history": [],
        **scored,
        **place,
        **more,
    }
    world.table.write(Write(keys.item(owner, item_id), "put", row=row))
    return item_id


def test_the_groups_are_in_order_and_the_rest_has_views_of_its_own(shared: World) -> None:
    visitor = alone(shared, "orderly")
    failure = {
        "error_code": "AI_TIMEOUT",
        "message": "The model did not answer.",
        "failed_step": "score",
        "retryable": True,
        "attempts": 2,
        "next_retry_at": "2099-01-05T07:31:00.000Z",
    }
    for status in ("SHIPPED", "ARCHIVED", "FAILED_AI", "QUEUED"):
        put(shared, "orderly", status, "", **({"failure": failure} if status == "FAILED_AI" else {}))
    for priority in ("SKIP", "IF_TIME", "WORTH_IT", "READ_NEXT"):
        put(shared, "orderly", "READY", priority)
    skipped = put(shared, "orderly", "ARCHIVED", "SKIP", archive_reason="SYSTEM_SKIP")
    page = visitor.look("/my")
    assert [group.get("id") for group in page.tree.cssselect(".group")] == ORDER
    assert skipped in page.form(f"/my/items/{skipped}/do/unarchive").get("action")
    assert [group.tag for group in page.tree.cssselect(".group#skip")] == ["details"]
    for view, status in (("shipped", "SHIPPED"), ("archived", "ARCHIVED")):
        rows = visitor.look(f"/my/list/{view}").tree.cssselect(".row h3")
        assert [row.text_content().strip() for row in rows] == [status]
    told = page.words("#attention .failure")
    assert all(word in told for word in ("did not answer", "weighing", "AI_TIMEOUT", "2099-01-05", "2 tries"))
    assert page.tree.cssselect("#attention time[datetime='2099-01-05T07:31:00.000Z']")


def test_a_row_tells_what_it_is_why_it_was_saved_and_why_it_is_worth_it(shared: World, reader: Reader) -> None:
    item_id = ready(shared, reader.language, url=f"https://example.org/{reader.language}")
    shown = shared.item(item_id)
    row = reader.look("/my").words(f"#row-{item_id}")
    assert all(word in row for word in (TEXTS[reader.language]["title"], INTENTS[reader.language], "example.org"))
    assert shown["first_reason"] in row
    assert str(round(shown["match_score"])) in row


def test_what_is_being_read_shows_its_step(shared: World, reader: Reader) -> None:
    item_id = put(
        shared, "me", "PROCESSING", started_at=clock.now(), made={"extraction": 1, "summary": 1}, lease_epoch=1
    )
    page = reader.look("/my")
    bar = page.tree.cssselect(f"#row-{item_id} progress")[0]
    assert (bar.get("value"), bar.get("max")) == ("2", "6")
    assert page.tree.cssselect("main[data-moving] ~ *, main[data-moving]")
    assert page.tree.cssselect('noscript meta[http-equiv="refresh"]')


def test_the_first_page_costs_the_same_with_a_thousand_items(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = alone(shared, "full")
    rows = []
    kind = type(shared.table)
    query = kind.query

    def counted(self: DynamoTable, *args: object, **kwargs: object) -> object:
        found = query(self, *args, **kwargs)  # type: ignore[arg-type]
        rows.append(len(found.rows))
        return found

    monkeypatch.setattr(kind, "query", counted)
    for n in range(40):
        put(shared, "full", "READY", "WORTH_IT", title=f"item {n}")
    visitor.look("/my")
    few, rows[:] = (len(rows), sum(rows)), []
    for n in range(960):
        put(shared, "full", "READY", "WORTH_IT" if n % 2 else "IF_TIME", title=f"item {n}")
    page = visitor.look("/my")
    assert (len(rows), sum(rows)) == (few[0], few[1] + 12)  # the other group's first rows
    assert len(page.tree.cssselect("#worth_it .row")) == 12
    further = visitor.look(page.link("/my/list/worth_it"))
    assert len(further.tree.cssselect(".row")) == 30
    seen = {row.get("data-id") for row in further.tree.cssselect(".row")}
    next_page = visitor.look(further.tree.cssselect(".further a")[-1].get("href"))
    assert not seen & {row.get("data-id") for row in next_page.tree.cssselect(".row")}


@pytest.mark.parametrize("words", ["栅栏", "FENCING", "fencing tokens"])
def test_search_finds_by_words(shared: World, reader: Reader, words: str) -> None:
    ready(shared, "zh" if words == "栅栏" else "en")
    page = reader.look(f"/my?q={words}")
    assert page.tree.cssselect(".row")
    assert page.tree.cssselect("#q")[0].get("value") == words
    assert not reader.look("/my?q=" + "没有这样的词zzz").tree.cssselect(".row")


def test_an_empty_inbox_teaches_and_its_example_works(shared: World) -> None:
    for language in ("en", "zh"):
        visitor = alone(shared, f"new-{language}", language)
        page = visitor.look("/my")
        (example,) = page.tree.cssselect(".empty form")
        page = visitor.send(example)
        assert len(page.tree.cssselect(".row")) == 1
        shared.settle()
        assert "READY" in {row["status"] for row in inbox.recent(shared.table, f"new-{language}", 5)}


def test_a_page_that_was_seen_is_not_sent_again(shared: World, reader: Reader) -> None:
    item_id = item_in(shared, "READY")
    for path in ("/my/list/shipped", f"/my/items/{item_id}"):
        tag = reader.look(path).headers["etag"]
        assert reader.ask("GET", path, if_none_match=tag).status == 304
    shared.api("POST", f"/items/{item_id}/archive", {})
    assert reader.ask("GET", f"/my/items/{item_id}", if_none_match=tag).status == 200
