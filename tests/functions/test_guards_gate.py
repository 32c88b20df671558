"""gate: what was published once is only said again while it is what is served; else the delivery leaves."""

import pytest
from items_in import brought_to, everything, in_turn, rewrite

from support.world import World


@pytest.mark.parametrize(
    "since",
    [{"status": "SHIPPED"}, {"status": "ARCHIVED"}, {"served_run_id": "an earlier set"}],
    ids=["shipped", "archived", "another set"],
)
def test_a_delivery_that_comes_again_after_the_item_moved_on_leaves_without_a_trace(
    shared: World, since: dict[str, str]
) -> None:
    item_id = brought_to(shared, "gate")
    given = in_turn(shared, item_id, "gate")
    shared.invoke("gate", given)
    shared.invoke("gate", given)
    assert shared.row(item_id)["status"] == "READY"
    rewrite(shared, item_id, **since)
    before = everything(shared, item_id)
    with pytest.raises(Exception, match="publish"):
        shared.invoke("gate", given)
    assert everything(shared, item_id) == before
