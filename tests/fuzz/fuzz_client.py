"""A caller who believes nothing: every answer is held against what must have been acknowledged."""

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from fuzz_model import Item

from readdo.store import tokens
from support.world import World

Told = SimpleNamespace
_WITH_CODES_OF_THEIR_OWN = {"process": "PROCESS", "retry": "PROCESS", "regenerate": "PROCESS"}
_WITH_CODES_OF_THEIR_OWN |= {"archive": "ARCHIVE", "export": "EXPORT"}


class Client:
    def __init__(self, world: World, owner: str, seen: Counter[str]) -> None:
        """`seen`: how often each status, of answers and of items, was."""
        self._world, self._seen = world, seen
        self._token = tokens.issue(world.table, owner, "fuzz")
        self._first: dict[str, tuple[Any, int, Any]] = {}

    def ask(self, method: str, path: str, body: Any = None, *, key: str = "", if_match: str = "") -> Told:
        answer = self._world.api(method, path, body, token=self._token, key=key, if_match=if_match)
        assert answer.status < 500, answer.text
        self._seen[str(answer.status)] += 1
        if answer.status >= 400:
            assert set(answer.json) == {"error"}
            assert set(answer.json["error"]) == {"code", "message", "details"}
            assert answer.json["error"]["message"]
        return answer

    def ask_once(self, key: str, request: Any, call: Callable[[], Told], expected: Callable[[], int]) -> Told:
        """Under a key: `expected` says the status, and remembers what is done, unless it was asked before."""
        known = self._first.get(key)
        answer = call()
        if known and known[0] == request:
            assert (answer.status, answer.json) == known[1:]
        elif known:
            assert code(answer) == (422, "IDEMPOTENCY_KEY_REUSED")
        else:
            assert answer.status == expected(), answer.text
            if key and answer.status < 300:
                self._first[key] = (request, answer.status, answer.json)
        return answer

    def refused(self, answer: Told, button: str, item: Item) -> None:
        """Of a 409: its code by the table of the API, and what may be done instead."""
        if answer.status != 409:
            return
        own = _WITH_CODES_OF_THEIR_OWN.get(button)
        usual = f"{own}_NOT_ALLOWED" if own else "STATE_CONFLICT"
        wanted = "PROCESSING_IN_PROGRESS" if own and item.status == "PROCESSING" else usual
        assert code(answer) == (409, wanted)
        details = answer.json["error"]["details"]
        if details:
            assert details["status"] == item.status
            assert {action["action"] for action in details["available_actions"]} == item.listed()

    def sees(self, item: Item) -> None:
        """The item is as it was acknowledged to be."""
        answer = self.ask("GET", f"/items/{item.id}")
        assert answer.status == 200
        self._seen[item.status] += 1
        found = answer.json["item"]
        assert (found["status"], found["save_count"], found["intents"]) == (item.status, item.saves, item.intents)
        assert found["version"] >= item.version
        assert {name: found.get(name, "") for name in item.said} == item.said
        assert found.get("edited", []) == sorted(item.edited)
        assert found.get("served_run_id", "") == item.served
        assert {action["action"] for action in answer.json["available_actions"]} == item.listed()
        shown = answer.json["artifacts"]
        assert {kind: shown[kind]["version"] for kind in item.numbers if kind in shown} == {
            kind: item.shown(kind) for kind in item.numbers if item.shown(kind)
        }
        told = {export["payload"]["export_key"]: export["status"] for export in answer.json["exports"]}
        assert told == {key: export.status for key, export in item.exports.items()}
        assert [task["id"] for task in answer.json.get("tasks", {"tasks": ()})["tasks"]] == list(item.tasks.values())
        assert ("failure" in answer.json) == item.status.startswith("FAILED")
        item.version = found["version"]

    def lists(self, query: str, limit: int) -> list[str]:
        """Page by page, to the end."""
        found: list[str] = []
        cursor = ""
        while True:
            answer = self.ask("GET", f"/items?limit={limit}&{query}" + (f"&cursor={cursor}" if cursor else ""))
            assert answer.status == 200
            assert len(answer.json["items"]) <= limit
            found += [item["id"] for item in answer.json["items"]]
            cursor = answer.json["next_cursor"]
            if not cursor:
                return found


def code(answer: Told) -> tuple[int, str]:
    return answer.status, answer.json["error"]["code"] if answer.status >= 400 else ""
