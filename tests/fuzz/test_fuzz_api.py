"""The API as a state machine: after any sequence of requests, the answers match the model."""

import os
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from fuzz.fuzz_client import Client, code
from fuzz.fuzz_machine import Background
from fuzz.fuzz_model import INTENTS, KEYS, KINDS, MOVES, NAMES, PAGES, STATES, Item, body_of
from readdo import clock
from support.sample_run import SampleRun
from support.world import World

LONG = os.environ.get("READDO_FUZZ") == "long"
EXAMPLES, STEPS = (2000, 50) if LONG else (100, 25)
which = st.integers(0, 7)


@seed(3)  # with derandomize the source text decides, and each edit of this class draws other requests
class Api(RuleBasedStateMachine):
    world: World
    sample: SampleRun
    seen: Counter[str]

    def __init__(self) -> None:
        super().__init__()
        self.owner = clock.new_id(clock.now())
        self.client = Client(self.world, self.owner, self.seen)
        self.background = Background(self.world, self.sample, self.owner)
        self.items: list[Item] = []
        self.deleted: list[Item] = []
        self.pages: dict[str, Item] = {}
        self.named: dict[str, tuple[Any, Item, bool]] = {}
        self.touched: Item | None = None

    @initialize(
        steps=st.sampled_from(((), ("publish",), ("publish",), ("fail for good",), ("extract", "fail for good")))
    )
    def begin(self, steps: tuple[str, ...]) -> None:
        """Start most histories with a finished run: later states are many steps away."""
        if steps:
            self.capture(page="", intent=INTENTS[0], name="", new=False, text=True, process=True)
        for step in steps:
            self.run_goes_on(place=0, step=step)

    def some(self, place: int) -> Item:
        self.touched = self.items[place % len(self.items)]
        return self.touched

    @precondition(lambda self: len(self.items) < 4)
    @rule(
        page=st.sampled_from(PAGES),
        intent=st.sampled_from(INTENTS),
        name=st.sampled_from(NAMES),
        new=st.booleans(),
        text=st.booleans(),
        process=st.booleans(),
    )
    def capture(self, page: str, intent: str, name: str, new: bool, text: bool, process: bool) -> None:
        by_id = len(name) == 36
        body = {"intent_text": intent, "url": page, "on_duplicate": "new" if new else "join", "process": process}
        body |= {"content": "Leases 租约" if text or not page else "", "title": intent[:9].strip()}
        request = {**body, "capture_id": name} if by_id else body
        answer = self.client.ask("POST", "/capture", request, key="" if by_id else name)
        past_capture = self.named.get(name)
        if name and past_capture:
            self._check_repeat(answer, past_capture, None if by_id else body, has_text=bool(body["content"]))
            return
        existing = self.pages.get(page)
        if existing and not new:
            assert (answer.status, answer.json["joined"], answer.json["item"]["id"]) == (200, True, existing.id)
            existing.join(intent, has_text=bool(body["content"]))
            self.touched = existing
        else:
            self._add(answer, body, page if page and not existing else "")
        assert self.touched
        if name:
            self.named[name] = (None if by_id else body, self.touched, bool(existing and not new))

    def _check_repeat(self, answer: Any, past_capture: tuple[Any, Item, bool], body: Any, *, has_text: bool) -> None:
        first, item, joined = past_capture
        if first != body:
            assert code(answer) == (422, "IDEMPOTENCY_KEY_REUSED")
        elif item in self.deleted:
            assert code(answer) == (409, "STATE_CONFLICT")
        else:
            assert (answer.status, answer.json.get("joined", False)) == (200, joined)
            assert answer.json["item"]["id"] == item.id
            item.add_text(offered=has_text)
            self.touched = item

    def _add(self, answer: Any, body: dict[str, Any], page: str) -> None:
        assert answer.status == 201
        item_fields = {"title": body["title"], "url": body["url"], "intent_text": body["intent_text"]}
        item = Item(
            answer.json["item"]["id"], item_fields, intents=[body["intent_text"]], has_text=bool(body["content"])
        )
        if body["process"]:
            item.pull("enqueue")
        if page:
            self.pages[page] = item
        self.items.append(item)
        self.touched = item

    @precondition(lambda self: self.items)
    @rule(place=which, button=st.sampled_from(MOVES), key=st.sampled_from(KEYS), anew=st.booleans())
    def press(self, place: int, button: str, key: str, anew: bool) -> None:
        item, anew = self.some(place), anew and button == "unarchive"
        verb = "process" if body_of(button) else button
        method, path = ("DELETE", "") if button == "delete" else ("POST", f"/{verb}")
        body = {"regenerate": True} if anew else body_of(button)

        def expected() -> int:
            done = self._pull_if_possible(item, "unarchive_anew") if anew else item.press(button)
            if done and button == "delete":
                self._forget(item)
            return {"process": 202, "delete": 204}.get(verb, 200) if done else 409

        request = (item.id, verb, None if button == "delete" else str(body))
        answer = self.client.ask_once(
            key, request, lambda: self.client.ask(method, f"/items/{item.id}{path}", body, key=key), expected
        )
        self.client.check_refusal(answer, button, item)

    def _pull_if_possible(self, item: Item, trigger: str) -> bool:
        if item.may(trigger):
            item.pull(trigger)
            return True
        return False

    def _forget(self, item: Item) -> None:
        self.items.remove(item)
        self.deleted.append(item)
        self.pages = {page: held for page, held in self.pages.items() if held is not item}
        self.touched = None

    @precondition(lambda self: self.items)
    @rule(place=which, title=st.sampled_from(INTENTS), off=st.sampled_from((0, 0, 0, 1, -1)), key=st.sampled_from(KEYS))
    def patch(self, place: int, title: str, off: int, key: str) -> None:
        item = self.some(place)
        self.client.check_item(item)
        body, if_match = {"title": title}, f'"{max(0, item.version + off)}"'

        def expected() -> int:
            if not item.may("patch"):
                return 409
            item.fields["title"] = item.fields["title"] if off else title
            return 412 if off else 200

        call = lambda: self.client.ask("PATCH", f"/items/{item.id}", body, key=key, if_match=if_match)  # noqa: E731
        answer = self.client.ask_once(key, (item.id, "patch", title), call, expected)
        self.client.check_refusal(answer, "patch", item)

    @precondition(lambda self: self.items)
    @rule(
        place=which, kind=st.sampled_from(KINDS), match=st.sampled_from(("shown", "*", "99")), key=st.sampled_from(KEYS)
    )
    def edit(self, place: int, kind: str, match: str, key: str) -> None:
        item = self.some(place)
        if_match = str(item.shown_version(kind)) if match == "shown" else match

        def expected() -> int:
            if not item.may("edit"):
                return 409
            if match == "99":
                return 412
            item.edit(kind)
            return 201

        path, payload = f"/items/{item.id}/artifacts/{kind}", self.sample.payloads[kind]
        call = lambda: self.client.ask("PUT", path, payload, key=key, if_match=if_match)  # noqa: E731
        answer = self.client.ask_once(key, (item.id, "edit", kind), call, expected)
        self.client.check_refusal(answer, "edit", item)

    @precondition(lambda self: self.items)
    @rule(place=which, kind=st.sampled_from(KINDS))
    def unedit(self, place: int, kind: str) -> None:
        item = self.some(place)
        answer = self.client.ask("DELETE", f"/items/{item.id}/artifacts/{kind}/user")
        allowed = kind not in item.edited or item.may("unedit")
        assert answer.status == (204 if allowed else 409)
        self.client.check_refusal(answer, "unedit", item)
        if allowed:
            item.edited.pop(kind, None)

    @precondition(lambda self: self.items)
    @rule(place=which, number=st.integers(1, 2), off=st.sampled_from((0, 0, 1)))
    def accept(self, place: int, number: int, off: int) -> None:
        item = self.some(place)
        todo = (max(1, item.shown_version("todos") + off), number)
        accepted = item.tasks.get(todo)
        answer = self.client.ask("POST", f"/items/{item.id}/todos/{number}/accept", {"version": todo[0]})
        allowed = 409 if not item.may("accept") else 412 if off else 201
        assert answer.status == (200 if accepted else allowed), answer.text
        self.client.check_refusal(answer, "accept", item)
        if answer.status < 300:
            task = item.tasks.setdefault(todo, answer.json["task"]["id"])
            assert (answer.json["task"]["id"], answer.json["task"]["of_item"]) == (task, item.id)

    @precondition(lambda self: self.items)
    @rule(place=which, key=st.sampled_from(("one", "two")), formats=st.sampled_from((("md",), ("md", "caption"))))
    def export(self, place: int, key: str, formats: tuple[str, ...]) -> None:
        item = self.some(place)
        answer = self.client.ask("POST", f"/items/{item.id}/export", {"export_key": key, "formats": list(formats)})
        assert answer.status == item.request_export(key, formats), answer.text
        self.client.check_refusal(answer, "export", item)

    @precondition(lambda self: any(e.status == "RUNNING" for i in self.items for e in i.exports.values()))
    @rule(place=which, well=st.booleans())
    def export_ends(self, place: int, well: bool) -> None:
        running = [(i, key) for i in self.items for key, e in i.exports.items() if e.status == "RUNNING"]
        self.touched, key = running[place % len(running)]
        self.background.export_ends(self.touched, key, well=well)

    @precondition(lambda self: any(i.status in ("QUEUED", "PROCESSING") for i in self.items))
    @rule(place=which, step=st.sampled_from(("lease", "extract", "publish", "publish", "fail", "fail for good")))
    def run_goes_on(self, place: int, step: str) -> None:
        busy = [item for item in self.items if item.status in ("QUEUED", "PROCESSING")]
        item = self.touched = busy[place % len(busy)]
        if item.status == "QUEUED":
            self.background.leases(item)
        if step == "extract":
            self.background.extracts(item)
        elif step == "publish":
            self.background.publishes(item)
        elif step != "lease":
            self.background.fails(item, retryable=step == "fail")

    @precondition(lambda self: self.items)
    @rule(place=which)
    def time_passes(self, place: int) -> None:
        self.background.time_passes(self.some(place))

    @rule(states=st.sets(st.sampled_from(STATES), max_size=3), limit=st.integers(1, 3), newest=st.booleans())
    def lists(self, states: set[str], limit: int, newest: bool) -> None:
        query = f"sort={'created_desc' if newest else 'priority_score_desc'}"
        query += f"&status={','.join(sorted(states))}" if states else ""
        listed = self.client.list_all(query, limit)
        expected_ids = [item.id for item in self.items if not states or item.status in states]
        assert sorted(listed) == sorted(expected_ids)
        assert not newest or listed == sorted(expected_ids, reverse=True)

    @precondition(lambda self: self.items)
    @rule(action=st.sampled_from(("archive", "unarchive", "process", "delete")), count=st.integers(1, 3))
    def batch(self, action: str, count: int) -> None:
        targets = self.items[:count] + self.deleted[:1]
        answer = self.client.ask("POST", "/items/batch", {"action": action, "ids": [item.id for item in targets]})
        assert [result["id"] for result in answer.json["results"]] == [item.id for item in targets]
        for item, result in zip(targets, answer.json["results"], strict=True):
            assert result["ok"] == (item not in self.deleted and item.press(action)), result
            if result["ok"] and action == "delete":
                self._forget(item)

    @precondition(lambda self: self.deleted)
    @rule(place=which, button=st.sampled_from(("ship", "archive", "keep")))
    def ask_for_what_is_gone(self, place: int, button: str) -> None:
        item = self.deleted[place % len(self.deleted)]
        assert code(self.client.ask("GET", f"/items/{item.id}")) == (404, "NOT_FOUND")
        assert code(self.client.ask("POST", f"/items/{item.id}/{button}")) == (404, "NOT_FOUND")

    @invariant()
    def what_was_acknowledged_is_there(self) -> None:
        if self.touched:
            self.client.check_item(self.touched)

    def teardown(self) -> None:
        for item in self.items:
            self.client.check_item(item)
        self.background.forget()


@pytest.mark.usefixtures("slow_clock")
def test_every_answer_matches_the_model(idle_world: World, sample: SampleRun) -> None:
    Api.world, Api.sample, Api.seen = idle_world, sample, Counter()
    run_state_machine_as_test(
        Api,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            database=None,
            deadline=None,
            print_blob=True,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )
    print(dict(Api.seen))
    assert set(Api.seen) == {*STATES, *("200", "201", "202", "204", "404", "409", "412", "422")}
