"""Client that compares every answer with the state that the API has acknowledged."""

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from fuzz.fuzz_model import Item
from readdo.store import tokens
from support.world import World

Answer = SimpleNamespace
_CODE_PREFIXES = {"process": "PROCESS", "retry": "PROCESS", "regenerate": "PROCESS"}
_CODE_PREFIXES |= {"archive": "ARCHIVE", "export": "EXPORT"}


class Client:
    def __init__(self, world: World, owner: str, seen: Counter[str]) -> None:
        """`seen` counts the statuses of answers and of items."""
        self._world, self._seen = world, seen
        self._token = tokens.issue(world.table, owner, "fuzz")
        self._first: dict[str, tuple[Any, int, Any]] = {}

    def ask(self, method: str, path: str, body: Any = None, *, key: str = "", if_match: str = "") -> Answer:
        answer = self._world.api(method, path, body, token=self._token, key=key, if_match=if_match)
        assert answer.status < 500, answer.text
        self._seen[str(answer.status)] += 1
        if answer.status >= 400:
            assert set(answer.json) == {"error"}
            assert set(answer.json["error"]) == {"code", "message", "details"}
            assert answer.json["error"]["message"]
        return answer

    def ask_once(self, key: str, request: Any, call: Callable[[], Answer], expected: Callable[[], int]) -> Answer:
        """Call with an idempotency key.

        For a new key, `expected` returns the status and updates the model; a repeated request must return the first
        answer.
        """
        first = self._first.get(key)
        answer = call()
        if first and first[0] == request:
            assert (answer.status, answer.json) == first[1:]
        elif first:
            assert code(answer) == (422, "IDEMPOTENCY_KEY_REUSED")
        else:
            assert answer.status == expected(), answer.text
            if key and answer.status < 300:
                self._first[key] = (request, answer.status, answer.json)
        return answer

    def check_refusal(self, answer: Answer, button: str, item: Item) -> None:
        """Check a 409: its code, and the actions that are possible instead."""
        if answer.status != 409:
            return
        prefix = _CODE_PREFIXES.get(button)
        default_code = f"{prefix}_NOT_ALLOWED" if prefix else "STATE_CONFLICT"
        expected_code = "PROCESSING_IN_PROGRESS" if prefix and item.status == "PROCESSING" else default_code
        assert code(answer) == (409, expected_code)
        details = answer.json["error"]["details"]
        if details:
            assert details["status"] == item.status
            assert {action["action"] for action in details["available_actions"]} == item.listed()

    def check_item(self, item: Item) -> None:
        """Check that the item equals its acknowledged state."""
        answer = self.ask("GET", f"/items/{item.id}")
        assert answer.status == 200
        self._seen[item.status] += 1
        row = answer.json["item"]
        assert (row["status"], row["save_count"], row["intents"]) == (item.status, item.saves, item.intents)
        assert row["version"] >= item.version
        assert {name: row.get(name, "") for name in item.fields} == item.fields
        assert row.get("edited", []) == sorted(item.edited)
        assert row.get("served_run_id", "") == item.served
        assert {action["action"] for action in answer.json["available_actions"]} == item.listed()
        shown_artifacts = answer.json["artifacts"]
        assert {kind: shown_artifacts[kind]["version"] for kind in item.numbers if kind in shown_artifacts} == {
            kind: item.shown_version(kind) for kind in item.numbers if item.shown_version(kind)
        }
        exports = {export["payload"]["export_key"]: export["status"] for export in answer.json["exports"]}
        assert exports == {key: export.status for key, export in item.exports.items()}
        assert [task["id"] for task in answer.json.get("tasks", {"tasks": ()})["tasks"]] == list(item.tasks.values())
        assert ("failure" in answer.json) == item.status.startswith("FAILED")
        item.version = row["version"]

    def list_all(self, query: str, limit: int) -> list[str]:
        """Return the ids of all pages of a list."""
        item_ids: list[str] = []
        cursor = ""
        while True:
            answer = self.ask("GET", f"/items?limit={limit}&{query}" + (f"&cursor={cursor}" if cursor else ""))
            assert answer.status == 200
            assert len(answer.json["items"]) <= limit
            item_ids += [item["id"] for item in answer.json["items"]]
            cursor = answer.json["next_cursor"]
            if not cursor:
                return item_ids


def code(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["error"]["code"] if answer.status >= 400 else ""
