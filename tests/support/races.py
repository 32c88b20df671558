"""Table for race tests: an action runs between the read of a row and the write that follows."""

from collections.abc import Callable
from typing import Any

from readdo.lifecycle.write import Key, Write
from readdo.read import item_keys
from support.memory import MemoryTable
from support.memory_indexes import of_the_template

T0, T1, T2, LATE = (f"2026-11-18T10:0{n}:00.000Z" for n in (0, 1, 2, 9))
ITEM = item_keys.item("me", "01ITEM")
EXPORT = item_keys.export("me", "01ITEM", "wished")


class Raced(MemoryTable):
    """Table that runs an action once, after a read of `key` and before the reader continues."""

    def __init__(self) -> None:
        super().__init__(indexes=of_the_template())
        self._acts: dict[Key, Callable[[], Any]] = {}

    def after_read(self, key: Key, act: Callable[[], Any]) -> None:
        self._acts[key] = act

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        row = super().get(key, consistent=consistent)
        act = self._acts.pop(key, None)
        if act:
            act()
        return row

    def has(self, key: Key, row: dict[str, Any]) -> None:
        self.write(Write(key, "put", row=row))

    def touch(self, key: Key, **sets: Any) -> None:
        """Write as another process: like every transition, the write increments the version."""
        self.write(Write(key, sets=sets, adds={"version": 1}))


def item(status: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "01ITEM",
        "owner": "me",
        "status": status,
        "version": 7,
        "created_at": T0,
        "updated_at": T0,
        "intent_text": "为了队列",
        "title": "first",
        "source_type": "web",
        "profile": "engineer",
        "url": "https://example.org/a",
        "history": [],
        "made": {},
        "versions": dict.fromkeys(("extraction", "summary", "score", "todos", "card", "export"), 0),
        "run_id": "01RUN",
        "lease_epoch": 1,
        "attempts": 0,
        "timeouts": 0,
        "reclaims": 0,
        "starts": 1,
        "priority": "WORTH_IT",
        "match_score": 70,
        **more,
    }


def export(status: str, **more: Any) -> dict[str, Any]:
    return {
        "owner": "me",
        "item": "01ITEM",
        "status": status,
        "version": 3,
        "history": [],
        "export_key": "wished",
        "key_digest": EXPORT.sk.removeprefix("X#"),
        "artifact_version": 1,
        "run_id": "01EXPORTRUN",
        "card_run": "01RUN",
        "card_version": 1,
        "card_by": "system",
        "formats": [],
        "files": {},
        "served_run_id": "01RUN",
        "attempts": 0,
        "restarts": 0,
        "epoch": 1,
        **more,
    }


def card() -> tuple[Key, dict[str, Any]]:
    """Return the card of the run that the item above serves."""
    meta = {"run_id": "01RUN"}
    row = {"type": "card", "version": 1, "created_by": "system", "created_at": T0, "meta": meta, "payload": "{}"}
    return item_keys.run_artifact("me", "01ITEM", "card", "01RUN"), row
