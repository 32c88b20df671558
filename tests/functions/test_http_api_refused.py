"""http_api: every pair of state and action, as in the spec's table."""

from typing import Any

import pytest

from functions.items_in import TODOS, function_fails, item_in, item_with_failed_rerun, no_lease_taken, stored_data
from readdo.errors import LeaseLost
from support.world import World

STATES: tuple[str, ...] = ("CAPTURED", "QUEUED", "PROCESSING", "READY", "SHIPPED", "ARCHIVED")
STATES += ("FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT")
CALLS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "process": ("POST", "/process", {"mode": "PROCESS"}),
    "retry": ("POST", "/process", {"mode": "RETRY"}),
    "regenerate": ("POST", "/process", {"mode": "REGENERATE"}),
    "keep": ("POST", "/keep", {}),
    "export": ("POST", "/export", {"export_key": "asked"}),
    "ship": ("POST", "/ship", {}),
    "archive": ("POST", "/archive", {}),
    "unarchive": ("POST", "/unarchive", {}),
    "unarchive anew": ("POST", "/unarchive", {"regenerate": True}),
    "patch": ("PATCH", "", {"title": "Another"}),
    "edit": ("PUT", "/artifacts/todos", TODOS),
    "accept": ("POST", "/todos/1/accept", {"version": 1}),
    "delete": ("DELETE", "", {}),
}
AT_REST = tuple(status for status in STATES if status not in ("QUEUED", "PROCESSING"))
# Spec §2, copied by hand: action → from → to. The FAILED_* items here have no served set to keep.
ALLOWED: dict[str, dict[str, str]] = {
    "process": dict.fromkeys(("CAPTURED", "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT"), "QUEUED"),
    "retry": dict.fromkeys(("FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT"), "QUEUED"),
    "regenerate": {"READY": "QUEUED", "ARCHIVED": "QUEUED"},
    "keep": {},
    "export": {"READY": "READY", "FAILED_EXPORT": "FAILED_EXPORT", "SHIPPED": "SHIPPED"},
    "ship": {"READY": "SHIPPED"},
    "archive": dict.fromkeys((s for s in STATES if s not in ("PROCESSING", "ARCHIVED")), "ARCHIVED"),
    "unarchive": {"ARCHIVED": "READY"},
    "unarchive anew": {"ARCHIVED": "QUEUED"},
    "patch": {status: status for status in AT_REST},
    "edit": {"READY": "READY", "SHIPPED": "SHIPPED"},
    "accept": {"READY": "READY", "SHIPPED": "SHIPPED"},
    "delete": dict.fromkeys((*AT_REST, "QUEUED"), "gone"),
}
ANSWERS = {"process": 202, "retry": 202, "regenerate": 202, "export": 202, "edit": 201, "accept": 201, "delete": 204}
SPECIFIC_CODES = {
    "process": "PROCESS_NOT_ALLOWED",
    "retry": "PROCESS_NOT_ALLOWED",
    "regenerate": "PROCESS_NOT_ALLOWED",
    "export": "EXPORT_NOT_ALLOWED",
    "archive": "ARCHIVE_NOT_ALLOWED",
}


def code_of(action: str, status: str) -> str:
    if action not in SPECIFIC_CODES:
        return "STATE_CONFLICT"
    return "PROCESSING_IN_PROGRESS" if status == "PROCESSING" else SPECIFIC_CODES[action]


def available_actions(status: str) -> set[str]:
    return {action for action, moves in ALLOWED.items() if status in moves} - {"unarchive anew"}


FORBIDDEN = [(s, a) for a, moves in ALLOWED.items() for s in STATES if s not in moves]
OPEN = [(s, a) for a, moves in ALLOWED.items() for s in moves]


@pytest.fixture(scope="module")
def items_by_state(world: World) -> dict[str, str]:
    return {status: item_in(world, status) for status in STATES}


def call(world: World, item_id: str, action: str) -> Any:
    method, path, body = CALLS[action]
    return world.api(method, f"/items/{item_id}{path}", body, if_match="*")


def test_table_covers_every_state_and_action() -> None:
    assert (len(FORBIDDEN) + len(OPEN), len(set(FORBIDDEN) & set(OPEN))) == (len(STATES) * len(CALLS), 0)


@pytest.mark.parametrize(("status", "action"), FORBIDDEN)
def test_forbidden_action_is_refused_and_changes_nothing(
    world: World, items_by_state: dict[str, str], status: str, action: str
) -> None:
    before = stored_data(world, items_by_state[status])
    answer = call(world, items_by_state[status], action)
    error = answer.json["error"]
    assert (answer.status, error["code"]) == (409, code_of(action, status))
    assert error["details"]["status"] == status
    assert {may["action"] for may in error["details"]["available_actions"]} == available_actions(status)
    assert error["message"]
    assert stored_data(world, items_by_state[status]) == before


@pytest.mark.parametrize(("status", "action"), OPEN)
def test_allowed_action_succeeds(world: World, status: str, action: str) -> None:
    item_id = item_in(world, status)
    world.instead["export"] = lambda _call, _event: None
    with no_lease_taken(world):
        answer = call(world, item_id, action)
    del world.instead["export"]
    assert answer.status == ANSWERS.get(action, 200), answer.json
    if action == "delete":
        assert world.api("GET", f"/items/{item_id}").status == 404
    else:
        assert world.item(item_id)["status"] == answer.json["item"]["status"] == ALLOWED[action][status]


def test_key_of_a_refused_call_can_be_used_again(world: World) -> None:
    item_id = item_in(world, "CAPTURED")
    assert world.api("POST", f"/items/{item_id}/ship", key="ship-it").status == 409
    world.api("POST", f"/items/{item_id}/process")
    world.settle()
    assert world.api("POST", f"/items/{item_id}/ship", key="ship-it").status == 200


def test_keep_needs_a_served_set(world: World) -> None:
    bare, over_a_set = item_in(world, "FAILED_AI"), item_with_failed_rerun(world)
    offered_to = {
        i: {a["action"] for a in world.api("GET", f"/items/{i}").json["available_actions"]} for i in (bare, over_a_set)
    }
    assert "keep" not in offered_to[bare]
    assert "keep" in offered_to[over_a_set]
    refused = world.api("POST", f"/items/{bare}/keep")
    assert (refused.status, refused.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert world.api("POST", f"/items/{over_a_set}/keep").json["item"]["status"] == "READY"


@pytest.mark.parametrize("rerun", ["QUEUED", "PROCESSING", "FAILED_AI"])
def test_old_card_is_not_exported_during_or_after_a_failed_rerun(world: World, rerun: str) -> None:
    item_id = item_with_failed_rerun(world)
    if rerun != "FAILED_AI":
        with function_fails(world, {"QUEUED": "lease", "PROCESSING": "extract"}[rerun], LeaseLost("by the test")):
            world.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert world.row(item_id)["status"] == rerun
    before = stored_data(world, item_id)
    answer = world.api("POST", f"/items/{item_id}/export", {"export_key": "k"})
    code = "PROCESSING_IN_PROGRESS" if rerun == "PROCESSING" else "EXPORT_NOT_ALLOWED"
    assert (answer.status, answer.json["error"]["code"]) == (409, code)
    assert stored_data(world, item_id) == before
