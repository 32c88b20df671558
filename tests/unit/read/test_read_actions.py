"""The actions available in each state, as listed in the specification's §8."""

from typing import Any, cast

import pytest

from readdo.lifecycle.item import ITEM
from readdo.read import actions
from readdo.read.rows import ListedItem

# §8, with the omissions of §2: the buttons of a state, by their calls.
BUTTONS = {
    "CAPTURED": {"process", "archive", "patch", "delete"},
    "QUEUED": {"archive", "delete"},
    "PROCESSING": set(),
    "READY": {"export", "edit", "accept", "regenerate", "ship", "archive", "patch", "delete"},
    "FAILED_EXTRACTION": {"retry", "process", "archive", "patch", "delete"},
    "FAILED_AI": {"retry", "process", "archive", "patch", "delete"},
    "FAILED_EXPORT": {"export", "process", "retry", "archive", "patch", "delete"},
    "SHIPPED": {"export", "edit", "accept", "archive", "patch", "delete"},
    "ARCHIVED": {"unarchive", "regenerate", "patch", "delete"},
}
SERVED = ("READY", "FAILED_EXPORT", "SHIPPED")  # states that an item reaches only with a set of artifacts
CALLS = {
    "process": ("/process", {"mode": "PROCESS"}),
    "retry": ("/process", {"mode": "RETRY"}),
    "regenerate": ("/process", {"mode": "REGENERATE"}),
    "keep": ("/keep", None),
    "export": ("/export", None),
    "ship": ("/ship", None),
    "archive": ("/archive", None),
    "unarchive": ("/unarchive", None),
    "patch": ("", None),
    "edit": ("/artifacts/{type}", None),
    "unedit": ("/artifacts/{type}/user", None),
    "accept": ("/todos/{number}/accept", None),
    "delete": ("", None),
}
METHODS = {"patch": "PATCH", "edit": "PUT", "unedit": "DELETE", "delete": "DELETE"}


def available(status: str, *, served: bool) -> list[dict[str, Any]]:
    return actions.available(
        cast("ListedItem", {"id": "X", "status": status} | ({"served_run_id": "r"} if served else {}))
    )


def test_every_state_has_a_list_of_actions() -> None:
    assert set(BUTTONS) == set(ITEM.states)


@pytest.mark.parametrize("status", BUTTONS)
def test_state_offers_exactly_its_actions(status: str) -> None:
    assert {a["action"] for a in available(status, served=status in SERVED)} == BUTTONS[status]


@pytest.mark.parametrize("status", ["FAILED_EXTRACTION", "FAILED_AI"])
def test_keep_is_offered_only_with_a_served_set(status: str) -> None:
    assert {a["action"] for a in available(status, served=True)} == BUTTONS[status] | {"keep"}


@pytest.mark.parametrize("status", BUTTONS)
@pytest.mark.parametrize("served", [True, False])
def test_each_action_has_method_path_and_body(status: str, served: bool) -> None:
    offered = available(status, served=served)
    assert len({a["action"] for a in offered}) == len(offered)
    for action in offered:
        path, body = CALLS[action["action"]]
        assert (action["method"], action["path"]) == (METHODS.get(action["action"], "POST"), f"/items/X{path}")
        if action["action"] != "unarchive":
            assert action.get("body") == body


@pytest.mark.parametrize("status", ["READY", "SHIPPED"])
def test_unedit_is_offered_only_after_an_edit(status: str) -> None:
    row = {"id": "X", "status": status, "served_run_id": "r", "edited": {"todos": 2}}
    assert {a["action"] for a in actions.available(cast("ListedItem", row))} == BUTTONS[status] | {"unedit"}


def test_unarchive_without_a_set_regenerates() -> None:
    (unarchive,) = (a for a in available("ARCHIVED", served=False) if a["action"] == "unarchive")
    assert unarchive["body"] == {"regenerate": True}


def test_every_user_trigger_has_a_call() -> None:
    triggers = {row.trigger for row in ITEM.rows if row.by == "user"}
    assert triggers <= set(actions.CALLS) | actions.WITHOUT_A_BUTTON
