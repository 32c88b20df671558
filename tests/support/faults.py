"""Faults and looks for the tests of the whole flow."""

from typing import Any

from readdo import clock
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import World

SET = ("summary", "score", "todos", "card")


def fail_once(error: Exception) -> Any:
    """Instead of a room: it fails the first time, then does its work."""
    left = [error]

    def instead(handler: Any, event: dict[str, Any]) -> Any:
        if left:
            raise left.pop()
        return handler(event)

    return instead


def always(error: Exception) -> Any:
    def instead(_handler: Any, _event: dict[str, Any]) -> Any:
        raise error

    return instead


def rewrite(made: World, item_id: str, **sets: Any) -> None:
    """Time passes: what the row says of it is moved."""
    made.table.write(Write(keys.item(made.owner, item_id), sets=sets))


def past() -> str:
    return clock.after(clock.now(), -1)


def runs_of(made: World, item_id: str) -> dict[str, str]:
    shown = made.api("GET", f"/items/{item_id}").json["artifacts"]
    return {kind: shown[kind]["meta"]["run_id"] for kind in SET if kind in shown}


def triggers(made: World, item_id: str) -> list[str]:
    shown = made.api("GET", f"/items/{item_id}?include_history=true").json["history"]
    return [entry["trigger"] for entry in shown]
