"""Each call of both pipelines × six faults: after the heartbeat has run, the item is whole.

The calls are those that the scenes were seen to make. Here every call meets every fault once; with READDO_FAULTS=all,
in every scene and in every form.
"""

import os
from collections.abc import Iterator

import pytest
from fault_kinds import FAULTS, KINDS
from fault_matrix import Beginnings, Recorded, all_cells, beginnings, play, record, short_cells
from fault_opened import stage
from fault_scenes import IN_SHORT, SCENES, Scene

from contracts.template_rights import rights_of_functions
from support.tiers import FAULTS_SHARE, share


@pytest.fixture(scope="module")
def begun() -> Iterator[Beginnings]:
    with stage() as found:
        yield beginnings(found)


@pytest.fixture(scope="module")
def recorded(begun: Beginnings) -> Recorded:
    return {scene.name: record(begun, scene) for scene in SCENES}


EVERY = os.environ.get("READDO_FAULTS") == "all"
# A role names no service for what is asked over the open net, and a model's key may lie in either of two places.
BEYOND_AWS = {"extract": {"fetch"}} | {room: {"model", "ssm"} for room in ("summarize", "score", "todos", "card")}
SERVICE = {"states": "stepfunctions"}  # a right's word → the client's
OF_WEBHOOKS = {"announce", "deliver"}  # struck in test_faults_webhooks
OF_NOTION = {"mark", "mirror"}  # and in test_faults_mirror
BRING_IN = {"read_file", "import_lines"}  # struck in test_faults_imports
SAME_AS_THE_API = {"pages"}  # a form is one command of the domain's, whose every call is struck there


def test_what_is_recorded_is_every_room_with_every_service_that_its_role_allows(recorded: Recorded) -> None:
    seen: dict[str, set[str]] = {}
    for call in (call for calls in recorded.values() for call in calls):
        seen.setdefault(call.room.split()[0], set()).add(call.service)
    allowed = {
        room: {SERVICE.get(of, of) for action, _ in rights for of in [action.split(":")[0]]}
        | BEYOND_AWS.get(room, set())
        for room, rights in rights_of_functions().items()
        if room not in SAME_AS_THE_API | OF_WEBHOOKS | OF_NOTION | BRING_IN
    }
    # What calls the sender is struck in test_faults_webhooks too.
    assert seen == {room: services - {"lambda"} for room, services in allowed.items()}


def test_the_short_form_strikes_every_call_with_each_kind_of_fault_that_can_happen_to_it(recorded: Recorded) -> None:
    short = [scene.name for scene in IN_SHORT]
    calls = {call.same: call for name in short for call in recorded[name]}
    struck = {(cell.call.same, cell.fault.of) for cell in short_cells(recorded)}
    wanted = {(same, of) for same, call in calls.items() for of in KINDS if call.writes or of != "crash after"}
    wanted -= {(same, "delivered late") for same, call in calls.items() if not call.first}  # once an invocation
    assert struck == wanted
    assert {cell.fault.name for cell in short_cells(recorded)} == {fault.name for fault in FAULTS}


@pytest.mark.parametrize("scene", SCENES if EVERY else IN_SHORT, ids=lambda scene: scene.name)
def test_after_any_single_fault_the_item_is_whole(begun: Beginnings, recorded: Recorded, scene: Scene) -> None:
    mine = [cell for cell in (all_cells if EVERY else short_cells)(recorded) if cell.scene is scene]
    assert mine, "nothing is disturbed here"
    broken = {str(cell): wrong for cell in share(mine, FAULTS_SHARE) if (wrong := play(begun, cell))}
    assert broken == {}
