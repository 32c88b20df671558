"""Edits in place are stored, rejected with a message, and never lost in a conflict."""

import pytest

from support.page_items import INTENTS, item_in, ready_item
from support.reader import Reader
from support.world import TEXT, World

OWN_TEXTS = {
    "en": "What I learnt from it is to count every write.",
    "zh": "我从中学到的是：每一次写入都要数清楚，一次也不能漏掉。",
}


@pytest.mark.parametrize("kind", ["summary", "card"])
def test_edit_is_shown_and_restore_original_reverts_it(world: World, reader: Reader, kind: str) -> None:
    item_id = ready_item(world, reader.language)
    before = world.api("GET", f"/items/{item_id}").json["artifacts"][kind]["payload"]
    text = OWN_TEXTS[reader.language]
    page = reader.send(reader.item(item_id, f"?edit={kind}").form(f"/change/{kind}"), insight=text)
    assert text in page.words(f"#{kind}")
    after = world.api("GET", f"/items/{item_id}").json["artifacts"][kind]
    assert (after["created_by"], after["version"], after["payload"]["insight"]) == ("user", 2, text)
    own = {"insight", "render_spec"}
    assert {k: v for k, v in after["payload"].items() if k not in own} == {
        k: v for k, v in before.items() if k not in own
    }
    page = reader.send(reader.item(item_id).form(f"/unedit/{kind}"))
    assert world.api("GET", f"/items/{item_id}").json["artifacts"][kind]["payload"] == before
    assert text not in page.words(f"#{kind}")


def test_todos_are_changed_added_and_removed(world: World, reader: Reader) -> None:
    item_id = ready_item(world, reader.language)
    form = reader.item(item_id, "?edit=todos").form("/change/todos")
    count = len(world.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["payload"]["todos"])
    title = OWN_TEXTS[reader.language]
    more = {f"title{count}": "Share it with 团队 on Friday", f"type{count}": "SHARE"}
    page = reader.send(form, title0=title, tags0="租约, lease", title1="", **more)
    todos = world.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["payload"]["todos"]
    assert (todos[0]["title"], todos[0]["tags"], len(todos)) == (title, ["租约", "lease"], count)
    assert todos[-1]["title"] == "Share it with 团队 on Friday"
    assert title in page.words("#todos")


def test_invalid_edit_keeps_the_form_values_and_shows_the_error(world: World, reader: Reader) -> None:
    item_id = ready_item(world, reader.language)
    form = reader.item(item_id, "?edit=summary").form("/change/summary")
    before = world.row(item_id)
    page = reader.send(form, insight="too short", bullets=["one bullet that is long enough", '<b>&"two', "three 三"])
    assert page.status == 400
    assert {"en": "Insight", "zh": "洞察"}[reader.language] in page.words('[role="alert"]')
    written = dict(page.form("/change/summary").form_values())
    assert written["insight"] == "too short"
    assert [box.value for box in page.tree.cssselect('[name="bullets"]')] == [
        "one bullet that is long enough", "<b>&\"two", "three 三",
    ]  # fmt: skip
    assert world.row(item_id) == before


def test_conflicting_edit_shows_both_versions(world: World, reader: Reader) -> None:
    item_id = ready_item(world, reader.language)
    mine, theirs = (reader.item(item_id, "?edit=summary").form("/change/summary") for _ in range(2))
    reader.send(theirs, insight="Somebody else was here first, and wrote this.")
    page = reader.send(mine, insight=OWN_TEXTS[reader.language])
    assert page.status == 412
    assert "Somebody else was here first" in page.words(".theirs")
    again = page.form("/change/summary")
    assert dict(again.form_values())["insight"] == OWN_TEXTS[reader.language]
    assert reader.send(again).status == 200
    summary = world.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]
    assert (summary["version"], summary["payload"]["insight"]) == (3, OWN_TEXTS[reader.language])


def test_intent_is_changed_and_a_conflict_is_shown(world: World, reader: Reader) -> None:
    item_id = item_in(world, "READY")
    form = reader.item(item_id, "?edit=words").form("/change/words")
    other = INTENTS["zh" if reader.language == "en" else "en"]
    assert other in reader.send(form, intent_text=other).words(".why")
    assert world.item(item_id)["intent_text"] == other
    page = reader.send(form, intent_text="a third reason")
    assert (page.status, world.item(item_id)["intent_text"]) == (412, other)
    assert dict(page.form("/change/words").form_values())["intent_text"] == "a third reason"


def test_pasted_text_repairs_an_unreadable_page(world: World, reader: Reader) -> None:
    item_id = item_in(world, "FAILED_EXTRACTION")
    page = reader.item(item_id)
    form = reader.look(page.link("?edit=paste")).form("/change/paste")
    assert reader.send(form, content="").status == 400
    reader.send(reader.item(item_id, "?edit=paste").form("/change/paste"), content=TEXT.replace(". ", ".\r\n"))
    assert world.settled(item_id)["status"] == "READY"


def test_versions_page_marks_changes_to_the_previous_version(world: World, reader: Reader) -> None:
    item_id = ready_item(world, reader.language)
    text = OWN_TEXTS[reader.language]
    reader.send(reader.item(item_id, "?edit=summary").form("/change/summary"), insight=text)
    page = reader.look(f"/my/items/{item_id}/versions/summary")
    newest, first = page.tree.cssselect(".version")
    before = world.api("GET", f"/items/{item_id}?versions=true").json["versions"]["summary"][1]["payload"]["insight"]
    removed = "".join(piece.text_content() for piece in newest.cssselect("del"))
    inserted = "".join(piece.text_content() for piece in newest.cssselect("ins"))
    assert set(removed) <= set(before)
    assert set(inserted) <= set(text)
    assert inserted
    assert not first.cssselect("ins, del")
    assert reader.look(f"/my/items/{item_id}/versions/extraction").status == 404
