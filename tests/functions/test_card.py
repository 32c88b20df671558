"""card: a card that can be shipped, made from the run's artifacts."""

import pytest

from functions.items_in import CHINESE, item_at_step, step_event, versions
from readdo import schemas
from readdo.read import artifacts
from support.world import World


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_card_is_valid_and_its_render_spec_matches_its_fields(world: World, capture: dict[str, str]) -> None:
    item_id = item_at_step(world, "card", **capture)
    world.invoke("card", step_event(world, item_id, "card"))
    artifact = artifacts.of_run(world.table, "me", item_id, "card", world.row(item_id)["run_id"])
    assert artifact is not None
    card = artifact["payload"]
    assert schemas.schema_problem("card", card) is None
    content = card["render_spec"]["payload"]["content"]
    assert {name: card[name] for name in ("headline", "points", "insight", "action")} == content
    assert len(card["points"]) == 3


def test_card_names_its_upstream_versions(world: World) -> None:
    item_id = item_at_step(world, "card")
    world.invoke("card", step_event(world, item_id, "card"))
    (artifact,) = versions(world, item_id, "card")
    assert artifact["meta"]["template_version"] == "card.v1"
    assert artifact["meta"]["upstream_versions"] == {"summary": 1, "score": 1, "todos": 1}


def test_card_alone_publishes_nothing(world: World) -> None:
    item_id = item_at_step(world, "card")
    world.invoke("card", step_event(world, item_id, "card"))
    answer = world.api("GET", f"/items/{item_id}").json
    assert answer["item"]["status"] == "PROCESSING"
    assert answer["item"]["progress"]["done"] == 5
    assert answer["artifacts"] == {}
