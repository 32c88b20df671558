"""card: one card that can be shipped, made of what the run has made."""

import pytest
from items_in import CHINESE, brought_to, in_turn, versions

from readdo import schemas
from readdo.store import artifacts
from support.world import World


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_a_card_is_valid_and_its_drawing_says_what_its_fields_say(shared: World, capture: dict[str, str]) -> None:
    item_id = brought_to(shared, "card", **capture)
    shared.invoke("card", in_turn(shared, item_id, "card"))
    found = artifacts.of_run(shared.table, "me", item_id, "card", shared.row(item_id)["run_id"])
    assert found is not None
    card = found["payload"]
    assert schemas.problem("card", card) is None
    content = card["render_spec"]["payload"]["content"]
    assert {name: card[name] for name in ("headline", "points", "insight", "action")} == content
    assert len(card["points"]) == 3


def test_a_card_names_the_versions_that_it_was_made_of(shared: World) -> None:
    item_id = brought_to(shared, "card")
    shared.invoke("card", in_turn(shared, item_id, "card"))
    (found,) = versions(shared, item_id, "card")
    assert found["meta"]["template_version"] == "card.v1"
    assert found["meta"]["upstream_versions"] == {"summary": 1, "score": 1, "todos": 1}


def test_a_made_card_alone_publishes_nothing(shared: World) -> None:
    item_id = brought_to(shared, "card")
    shared.invoke("card", in_turn(shared, item_id, "card"))
    answer = shared.api("GET", f"/items/{item_id}").json
    assert answer["item"]["status"] == "PROCESSING"
    assert answer["item"]["progress"]["done"] == 5
    assert answer["artifacts"] == {}
