"""http_api: every (state, action) pair, as the spec's table has it; what is not in it is refused, without a trace."""

from typing import Any

import pytest
from items_in import TODOS, everything, item_in, rerun_failed, stays_queued, stopped

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
# Spec §2, by hand: action → from → to. None of the FAILED_* here has a set to keep.
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
OF_ITS_OWN = {
    "process": "PROCESS_NOT_ALLOWED",
    "retry": "PROCESS_NOT_ALLOWED",
    "regenerate": "PROCESS_NOT_ALLOWED",
    "export": "EXPORT_NOT_ALLOWED",
    "archive": "ARCHIVE_NOT_ALLOWED",
}


def code_of(action: str, status: str) -> str:
    if action not in OF_ITS_OWN:
        return "STATE_CONFLICT"
    return "PROCESSING_IN_PROGRESS" if status == "PROCESSING" else OF_ITS_OWN[action]


def offered(status: str) -> set[str]:
    return {action for action, moves in ALLOWED.items() if status in moves} - {"unarchive anew"}


FORBIDDEN = [(s, a) for a, moves in ALLOWED.items() for s in STATES if s not in moves]
OPEN = [(s, a) for a, moves in ALLOWED.items() for s in moves]


@pytest.fixture(scope="module")
def resting(shared: World) -> dict[str, str]:
    return {status: item_in(shared, status) for status in STATES}


def call(world: World, item_id: str, action: str) -> Any:
    method, path, body = CALLS[action]
    return world.api(method, f"/items/{item_id}{path}", body, if_match="*")


def test_every_state_meets_every_action() -> None:
    assert (len(FORBIDDEN) + len(OPEN), len(set(FORBIDDEN) & set(OPEN))) == (len(STATES) * len(CALLS), 0)


@pytest.mark.parametrize(("status", "action"), FORBIDDEN)
def test_what_a_state_does_not_allow_is_refused_in_words_and_changes_nothing(
    shared: World, resting: dict[str, str], status: str, action: str
) -> None:
    before = everything(shared, resting[status])
    answer = call(shared, resting[status], action)
    error = answer.json["error"]
    assert (answer.status, error["code"]) == (409, code_of(action, status))
    assert error["details"]["status"] == status
    assert {may["action"] for may in error["details"]["available_actions"]} == offered(status)
    assert error["message"]
    assert everything(shared, resting[status]) == before


@pytest.mark.parametrize(("status", "action"), OPEN)
def test_what_a_state_allows_is_done(shared: World, status: str, action: str) -> None:
    item_id = item_in(shared, status)
    shared.instead["export"] = lambda _call, _event: None
    with stays_queued(shared):
        answer = call(shared, item_id, action)
    del shared.instead["export"]
    assert answer.status == ANSWERS.get(action, 200), answer.json
    if action == "delete":
        assert shared.api("GET", f"/items/{item_id}").status == 404
    else:
        assert shared.item(item_id)["status"] == answer.json["item"]["status"] == ALLOWED[action][status]


def test_a_key_that_was_refused_may_be_sent_again_when_the_state_allows_it(shared: World) -> None:
    item_id = item_in(shared, "CAPTURED")
    assert shared.api("POST", f"/items/{item_id}/ship", key="ship-it").status == 409
    shared.api("POST", f"/items/{item_id}/process")
    shared.settle()
    assert shared.api("POST", f"/items/{item_id}/ship", key="ship-it").status == 200


def test_keep_needs_a_set_to_go_back_to(shared: World) -> None:
    bare, over_a_set = item_in(shared, "FAILED_AI"), rerun_failed(shared)
    offered_to = {
        i: {a["action"] for a in shared.api("GET", f"/items/{i}").json["available_actions"]} for i in (bare, over_a_set)
    }
    assert "keep" not in offered_to[bare]
    assert "keep" in offered_to[over_a_set]
    refused = shared.api("POST", f"/items/{bare}/keep")
    assert (refused.status, refused.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert shared.api("POST", f"/items/{over_a_set}/keep").json["item"]["status"] == "READY"


@pytest.mark.parametrize("rerun", ["QUEUED", "PROCESSING", "FAILED_AI"])
def test_an_old_card_is_not_exported_while_a_rerun_is_on_or_has_failed(shared: World, rerun: str) -> None:
    item_id = rerun_failed(shared)
    if rerun != "FAILED_AI":
        with stopped(shared, {"QUEUED": "lease", "PROCESSING": "extract"}[rerun], LeaseLost("by the test")):
            shared.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert shared.row(item_id)["status"] == rerun
    before = everything(shared, item_id)
    answer = shared.api("POST", f"/items/{item_id}/export", {"export_key": "k"})
    code = "PROCESSING_IN_PROGRESS" if rerun == "PROCESSING" else "EXPORT_NOT_ALLOWED"
    assert (answer.status, answer.json["error"]["code"]) == (409, code)
    assert everything(shared, item_id) == before
