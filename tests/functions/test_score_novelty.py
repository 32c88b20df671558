"""score: new is what the owner's own last items did not say."""

from items_in import brought_to, in_turn, item_in, versions

from readdo.store import tokens
from support.world import World, world


def novelty(made: World) -> float:
    item_id = brought_to(made, "score")
    made.invoke("score", in_turn(made, item_id, "score"))
    (found,) = versions(made, item_id, "score")
    return float(found["payload"]["signals"]["novelty"])


def test_what_the_owner_saved_lately_makes_the_same_less_new(made: World) -> None:
    first = novelty(made)
    assert novelty(made) < first


def test_what_others_saved_makes_nothing_less_new() -> None:
    with world() as made:
        alone = novelty(made)
    with world() as made:
        mine, made.token, made.owner = made.token, tokens.issue(made.table, "you", "test"), "you"
        item_in(made, "READY")
        made.token, made.owner = mine, "me"
        assert novelty(made) == alone
