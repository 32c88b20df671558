"""Each call of both pipelines × six faults: after the heartbeat has run, the item is complete.

The calls are recorded from the scenarios. By default every fault hits every call once; with READDO_FAULTS=all,
in every scenario and in every form.
"""

import os
from collections.abc import Iterator

import pytest

from contracts.template_rights import rights_of_functions
from faults.fault_kinds import FAULTS, KINDS
from faults.fault_matrix import Recorded, StartStates, all_cells, play, prepare_start_states, record, short_cells
from faults.fault_opened import stage
from faults.fault_scenes import IN_SHORT, SCENARIOS, Scenario
from support.tiers import FAULTS_SHARE, share


@pytest.fixture(scope="module")
def start_states() -> Iterator[StartStates]:
    with stage() as opened:
        yield prepare_start_states(opened)


@pytest.fixture(scope="module")
def recorded(start_states: StartStates) -> Recorded:
    return {scenario.name: record(start_states, scenario) for scenario in SCENARIOS}


EVERY = os.environ.get("READDO_FAULTS") == "all"
# A role names no service for internet requests, and a model's key may lie in either of two places.
BEYOND_AWS = {"extract": {"fetch"}} | {room: {"model", "ssm"} for room in ("summarize", "score", "todos", "card")}
SERVICE = {"states": "stepfunctions"}  # service of an IAM action
OF_WEBHOOKS = {"announce", "deliver"}  # covered by test_faults_webhooks
OF_NOTION = {"mark", "mirror"}  # covered by test_faults_mirror
# Covered by test_faults_proof and test_faults_collect.
OF_PROOF = {"proof_validate", "proof_slice", "proof_merge", "collect_work"}
BRING_IN = {"read_file", "import_lines"}  # covered by test_faults_imports
SAME_AS_THE_API = {"pages"}  # a form runs one command of the domain, whose calls the API's scenarios cover


def test_recorded_calls_cover_every_function_and_every_service_of_its_role(recorded: Recorded) -> None:
    called: dict[str, set[str]] = {}
    for call in (call for calls in recorded.values() for call in calls):
        called.setdefault(call.room.split()[0], set()).add(call.service)
    allowed = {
        room: {SERVICE.get(of, of) for action, _ in rights for of in [action.split(":")[0]]}
        | BEYOND_AWS.get(room, set())
        for room, rights in rights_of_functions().items()
        if room not in SAME_AS_THE_API | OF_WEBHOOKS | OF_NOTION | BRING_IN | OF_PROOF
    }
    # test_faults_webhooks also covers the calls of the functions that invoke deliver.
    assert called == {room: services - {"lambda"} for room, services in allowed.items()}


def test_short_matrix_hits_every_call_with_each_possible_kind_of_fault(recorded: Recorded) -> None:
    short = [scenario.name for scenario in IN_SHORT]
    calls = {call.same: call for name in short for call in recorded[name]}
    injected = {(cell.call.same, cell.fault.of) for cell in short_cells(recorded)}
    expected = {(same, of) for same, call in calls.items() for of in KINDS if call.writes or of != "crash after"}
    expected -= {(same, "delivered late") for same, call in calls.items() if not call.first}  # once an invocation
    assert injected == expected
    assert {cell.fault.name for cell in short_cells(recorded)} == {fault.name for fault in FAULTS}


@pytest.mark.parametrize("scenario", SCENARIOS if EVERY else IN_SHORT, ids=lambda scenario: scenario.name)
def test_single_fault_leaves_a_complete_item(start_states: StartStates, recorded: Recorded, scenario: Scenario) -> None:
    mine = [cell for cell in (all_cells if EVERY else short_cells)(recorded) if cell.scenario is scenario]
    assert mine, "nothing is disturbed here"
    broken = {str(cell): wrong for cell in share(mine, FAULTS_SHARE) if (wrong := play(start_states, cell))}
    assert broken == {}
