"""The inbox: the order of its groups, the contents of a row, and a constant cost per page."""

import pytest

from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import inbox, item_keys
from readdo.store import tokens
from readdo.store.table import DynamoTable
from support.page_items import INTENTS, TEXTS, item_in, ready_item
from support.reader import Reader
from support.world import World

ORDER = ["read_next", "worth_it", "if_time", "in_progress", "attention", "skip"]


def reader_of_own_inbox(world: World, name: str, language: str = "en") -> Reader:
    """A reader with an empty inbox."""
    return Reader(world, token=tokens.issue(world.table, name, "own"), language=language)


def put_item(world: World, owner: str, status: str, priority: str = "", **more: object) -> str:
    item_id = clock.new_id(clock.now())
    place = item_keys.inbox_place_ready(priority, 50.0, item_id) if priority else item_keys.inbox_place(status, item_id)
    score_fields = (
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
        **score_fields,
        **place,
        **more,
    }
    world.table.write(Write(item_keys.item(owner, item_id), "put", row=row))
    return item_id


def test_shown_score_never_reaches_the_next_priority(world: World) -> None:
    visitor = reader_of_own_inbox(world, "nearly")
    put_item(world, "nearly", "READY", "IF_TIME", match_score=59.7)
    assert [score.text_content() for score in visitor.ask("GET", "/my").tree.cssselect(".score b")] == ["59"]


def test_inbox_groups_are_in_order_and_others_have_own_views(world: World) -> None:
    visitor = reader_of_own_inbox(world, "orderly")
    failure = {
        "error_code": "AI_TIMEOUT",
        "message": "The model did not answer.",
        "failed_step": "score",
        "retryable": True,
        "attempts": 2,
        "next_retry_at": "2099-01-05T07:31:00.000Z",
    }
    for status in ("SHIPPED", "ARCHIVED", "FAILED_AI", "QUEUED"):
        put_item(world, "orderly", status, "", **({"failure": failure} if status == "FAILED_AI" else {}))
    for priority in ("SKIP", "IF_TIME", "WORTH_IT", "READ_NEXT"):
        put_item(world, "orderly", "READY", priority)
    skipped = put_item(world, "orderly", "ARCHIVED", "SKIP", archive_reason="SYSTEM_SKIP")
    page = visitor.look("/my")
    assert [group.get("id") for group in page.tree.cssselect(".group")] == ORDER
    assert skipped in page.form(f"/my/items/{skipped}/do/unarchive").get("action")
    assert [group.tag for group in page.tree.cssselect(".group#skip")] == ["details"]
    for view, status in (("shipped", "SHIPPED"), ("archived", "ARCHIVED")):
        rows = visitor.look(f"/my/list/{view}").tree.cssselect(".row h3")
        assert [row.text_content().strip() for row in rows] == [status]
    failure_text = page.words("#attention .failure")
    assert all(word in failure_text for word in ("did not answer", "scoring", "AI_TIMEOUT", "2099-01-05", "2 tries"))
    assert page.tree.cssselect("#attention time[datetime='2099-01-05T07:31:00.000Z']")


def test_row_shows_title_intent_reason_and_score(world: World, reader: Reader) -> None:
    item_id = ready_item(world, reader.language, url=f"https://example.org/{reader.language}")
    item = world.item(item_id)
    row = reader.look("/my").words(f"#row-{item_id}")
    assert all(word in row for word in (TEXTS[reader.language]["title"], INTENTS[reader.language], "example.org"))
    assert item["first_reason"] in row
    assert str(int(item["match_score"])) in row


def test_row_of_a_processing_item_shows_its_progress(world: World, reader: Reader) -> None:
    item_id = put_item(
        world, "me", "PROCESSING", started_at=clock.now(), made={"extraction": 1, "summary": 1}, lease_epoch=1
    )
    page = reader.look("/my")
    bar = page.tree.cssselect(f"#row-{item_id} progress")[0]
    assert (bar.get("value"), bar.get("max")) == ("2", "6")
    assert page.tree.cssselect("main[data-moving] ~ *, main[data-moving]")
    assert page.tree.cssselect('noscript meta[http-equiv="refresh"]')


def test_inbox_reads_the_same_number_of_rows_with_a_thousand_items(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = reader_of_own_inbox(world, "full")
    rows = []
    kind = type(world.table)
    query = kind.query

    def counting_query(self: DynamoTable, *args: object, **kwargs: object) -> object:
        result = query(self, *args, **kwargs)  # type: ignore[arg-type]
        rows.append(len(result.rows))
        return result

    monkeypatch.setattr(kind, "query", counting_query)
    for n in range(40):
        put_item(world, "full", "READY", "WORTH_IT", title=f"item {n}")
    visitor.look("/my")
    few, rows[:] = (len(rows), sum(rows)), []
    for n in range(960):
        put_item(world, "full", "READY", "WORTH_IT" if n % 2 else "IF_TIME", title=f"item {n}")
    page = visitor.look("/my")
    assert (len(rows), sum(rows)) == (few[0], few[1] + 12)  # the first rows of the second group
    assert len(page.tree.cssselect("#worth_it .row")) == 12
    further = visitor.look(page.link("/my/list/worth_it"))
    assert len(further.tree.cssselect(".row")) == 30
    listed_ids = {row.get("data-id") for row in further.tree.cssselect(".row")}
    next_page = visitor.look(further.tree.cssselect(".further a")[-1].get("href"))
    assert not listed_ids & {row.get("data-id") for row in next_page.tree.cssselect(".row")}


@pytest.mark.parametrize("words", ["栅栏", "FENCING", "fencing tokens"])
def test_search_finds_by_words(world: World, reader: Reader, words: str) -> None:
    ready_item(world, "zh" if words == "栅栏" else "en")
    page = reader.look(f"/my?q={words}")
    assert page.tree.cssselect(".row")
    assert page.tree.cssselect("#q")[0].get("value") == words
    assert not reader.look("/my?q=" + "没有这样的词zzz").tree.cssselect(".row")


def test_example_of_the_empty_inbox_works(world: World) -> None:
    for language in ("en", "zh"):
        visitor = reader_of_own_inbox(world, f"new-{language}", language)
        page = visitor.look("/my")
        (example,) = page.tree.cssselect(".empty form")
        page = visitor.send(example)
        assert len(page.tree.cssselect(".row")) == 1
        world.settle()
        assert "READY" in {row["status"] for row in inbox.recent(world.table, f"new-{language}", 5)}


def test_unchanged_item_and_list_pages_get_304(world: World, reader: Reader) -> None:
    item_id = item_in(world, "READY")
    for path in ("/my/list/shipped", f"/my/items/{item_id}"):
        tag = reader.look(path).headers["etag"]
        assert reader.ask("GET", path, if_none_match=tag).status == 304
    world.api("POST", f"/items/{item_id}/archive", {})
    assert reader.ask("GET", f"/my/items/{item_id}", if_none_match=tag).status == 200
