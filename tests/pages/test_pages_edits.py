"""Edits in place: kept as written, refused in words, and never lost when somebody else was faster."""

import pytest
from page_items import INTENTS, item_in, ready

from support.reader import Reader
from support.world import TEXT, World

MINE = {
    "en": "What I learnt from it is to count every write.",
    "zh": "我从中学到的是：每一次写入都要数清楚，一次也不能漏掉。",
}


@pytest.mark.parametrize("kind", ["summary", "card"])
def test_a_persons_version_is_shown_and_the_systems_is_a_button_away(shared: World, reader: Reader, kind: str) -> None:
    item_id = ready(shared, reader.language)
    before = shared.api("GET", f"/items/{item_id}").json["artifacts"][kind]["payload"]
    text = MINE[reader.language]
    page = reader.send(reader.item(item_id, f"?edit={kind}").form(f"/change/{kind}"), insight=text)
    assert text in page.words(f"#{kind}")
    after = shared.api("GET", f"/items/{item_id}").json["artifacts"][kind]
    assert (after["created_by"], after["version"], after["payload"]["insight"]) == ("user", 2, text)
    own = {"insight", "render_spec"}
    assert {k: v for k, v in after["payload"].items() if k not in own} == {
        k: v for k, v in before.items() if k not in own
    }
    page = reader.send(reader.item(item_id).form(f"/unedit/{kind}"))
    assert shared.api("GET", f"/items/{item_id}").json["artifacts"][kind]["payload"] == before
    assert text not in page.words(f"#{kind}")


def test_todos_are_changed_added_and_left_out(shared: World, reader: Reader) -> None:
    item_id = ready(shared, reader.language)
    form = reader.item(item_id, "?edit=todos").form("/change/todos")
    count = len(shared.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["payload"]["todos"])
    title = MINE[reader.language]
    more = {f"title{count}": "Share it with 团队 on Friday", f"type{count}": "SHARE"}
    page = reader.send(form, title0=title, tags0="租约, lease", title1="", **more)
    found = shared.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["payload"]["todos"]
    assert (found[0]["title"], found[0]["tags"], len(found)) == (title, ["租约", "lease"], count)
    assert found[-1]["title"] == "Share it with 团队 on Friday"
    assert title in page.words("#todos")


def test_what_is_not_right_comes_back_as_written_with_what_is_wrong(shared: World, reader: Reader) -> None:
    item_id = ready(shared, reader.language)
    form = reader.item(item_id, "?edit=summary").form("/change/summary")
    before = shared.row(item_id)
    page = reader.send(form, insight="too short", bullets=["one bullet that is long enough", '<b>&"two', "three 三"])
    assert page.status == 400
    assert {"en": "Insight", "zh": "洞察"}[reader.language] in page.words('[role="alert"]')
    written = dict(page.form("/change/summary").form_values())
    assert written["insight"] == "too short"
    assert [box.value for box in page.tree.cssselect('[name="bullets"]')] == [
        "one bullet that is long enough", "<b>&\"two", "three 三",
    ]  # fmt: skip
    assert shared.row(item_id) == before


def test_who_was_slower_sees_both_and_loses_nothing(shared: World, reader: Reader) -> None:
    item_id = ready(shared, reader.language)
    mine, theirs = (reader.item(item_id, "?edit=summary").form("/change/summary") for _ in range(2))
    reader.send(theirs, insight="Somebody else was here first, and wrote this.")
    page = reader.send(mine, insight=MINE[reader.language])
    assert page.status == 412
    assert "Somebody else was here first" in page.words(".theirs")
    again = page.form("/change/summary")
    assert dict(again.form_values())["insight"] == MINE[reader.language]
    assert reader.send(again).status == 200
    found = shared.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]
    assert (found["version"], found["payload"]["insight"]) == (3, MINE[reader.language])


def test_the_reason_is_changed_and_a_conflict_is_shown(shared: World, reader: Reader) -> None:
    item_id = item_in(shared, "READY")
    form = reader.item(item_id, "?edit=words").form("/change/words")
    other = INTENTS["zh" if reader.language == "en" else "en"]
    assert other in reader.send(form, intent_text=other).words(".why")
    assert shared.item(item_id)["intent_text"] == other
    page = reader.send(form, intent_text="a third reason")
    assert (page.status, shared.item(item_id)["intent_text"]) == (412, other)
    assert dict(page.form("/change/words").form_values())["intent_text"] == "a third reason"


def test_a_text_is_pasted_for_a_page_that_could_not_be_read(shared: World, reader: Reader) -> None:
    item_id = item_in(shared, "FAILED_EXTRACTION")
    page = reader.item(item_id)
    form = reader.look(page.link("?edit=paste")).form("/change/paste")
    assert reader.send(form, content="").status == 400
    reader.send(reader.item(item_id, "?edit=paste").form("/change/paste"), content=TEXT.replace(". ", ".\r\n"))
    assert shared.settled(item_id)["status"] == "READY"


def test_versions_stand_beside_the_one_before_with_what_changed(shared: World, reader: Reader) -> None:
    item_id = ready(shared, reader.language)
    text = MINE[reader.language]
    reader.send(reader.item(item_id, "?edit=summary").form("/change/summary"), insight=text)
    page = reader.look(f"/my/items/{item_id}/versions/summary")
    newest, first = page.tree.cssselect(".version")
    before = shared.api("GET", f"/items/{item_id}?versions=true").json["versions"]["summary"][1]["payload"]["insight"]
    gone = "".join(piece.text_content() for piece in newest.cssselect("del"))
    new = "".join(piece.text_content() for piece in newest.cssselect("ins"))
    assert set(gone) <= set(before)
    assert set(new) <= set(text)
    assert new
    assert not first.cssselect("ins, del")
    assert reader.look(f"/my/items/{item_id}/versions/extraction").status == 404
