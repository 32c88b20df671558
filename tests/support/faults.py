"""Faults and queries for the tests of the complete workflow."""

from typing import Any

from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from support.world import World

SET = ("summary", "score", "todos", "card")


def fail_once(error: Exception) -> Any:
    """Return a replacement of a handler: the first call fails, later calls run the handler."""
    errors = [error]

    def instead(handler: Any, event: dict[str, Any]) -> Any:
        if errors:
            raise errors.pop()
        return handler(event)

    return instead


def always(error: Exception) -> Any:
    def instead(_handler: Any, _event: dict[str, Any]) -> Any:
        raise error

    return instead


def update_row(fresh: World, item_id: str, **sets: Any) -> None:
    """Overwrite attributes of the item's row, for example to move its times into the past."""
    fresh.table.write(Write(item_keys.item(fresh.owner, item_id), sets=sets))


def past() -> str:
    return clock.after(clock.now(), -1)


def runs_of(fresh: World, item_id: str) -> dict[str, str]:
    artifacts = fresh.api("GET", f"/items/{item_id}").json["artifacts"]
    return {kind: artifacts[kind]["meta"]["run_id"] for kind in SET if kind in artifacts}


def triggers(fresh: World, item_id: str) -> list[str]:
    history = fresh.api("GET", f"/items/{item_id}?include_history=true").json["history"]
    return [entry["trigger"] for entry in history]
