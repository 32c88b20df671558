"""gate: a repeated delivery succeeds only while its run is the served one."""

import pytest

from functions.items_in import item_at_step, step_event, stored_data, update_row
from support.world import World


@pytest.mark.parametrize(
    "changes",
    [{"status": "SHIPPED"}, {"status": "ARCHIVED"}, {"served_run_id": "an earlier set"}],
    ids=["shipped", "archived", "another set"],
)
def test_repeated_gate_event_after_the_item_moved_on_changes_nothing(world: World, changes: dict[str, str]) -> None:
    item_id = item_at_step(world, "gate")
    gate_event = step_event(world, item_id, "gate")
    world.invoke("gate", gate_event)
    world.invoke("gate", gate_event)
    assert world.row(item_id)["status"] == "READY"
    update_row(world, item_id, **changes)
    before = stored_data(world, item_id)
    with pytest.raises(Exception, match="publish"):
        world.invoke("gate", gate_event)
    assert stored_data(world, item_id) == before
