"""score: novelty compares an item with the owner's own recent items."""

from functions.items_in import item_at_step, item_in, step_event, versions
from readdo.store import tokens
from support.world import World, world


def novelty_of_new_item(target_world: World) -> float:
    item_id = item_at_step(target_world, "score")
    target_world.invoke("score", step_event(target_world, item_id, "score"))
    (artifact,) = versions(target_world, item_id, "score")
    return float(artifact["payload"]["signals"]["novelty"])


def test_novelty_drops_for_repeated_content(fresh: World) -> None:
    first = novelty_of_new_item(fresh)
    assert novelty_of_new_item(fresh) < first


def test_novelty_ignores_items_of_other_owners() -> None:
    with world() as other_world:
        alone = novelty_of_new_item(other_world)
    with world() as other_world:
        my_token = other_world.token
        other_world.token, other_world.owner = tokens.issue(other_world.table, "you", "test"), "you"
        item_in(other_world, "READY")
        other_world.token, other_world.owner = my_token, "me"
        assert novelty_of_new_item(other_world) == alone
