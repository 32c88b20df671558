"""Histories of webhooks: each event is one delivery and no work stays due.

Faults: lost, duplicate and late records, writes without an answer, senders that die, a receiver with random answers.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, cast

import pytest

from readdo import clock
from readdo.errors import LeaseLost
from readdo.integrations import integration_keys
from readdo.integrations.webhooks import deliveries, delivery_attempt, due_deliveries, fan_out, subscriptions
from readdo.lifecycle.advance import Refused, advance, create, move
from readdo.lifecycle.delivery import DELIVERY, TRIES
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Key, OutcomeUnknown, Write
from readdo.net.http_post import PostResult
from readdo.read import history, item_keys
from readdo.read.rows import ItemRow
from support.memory import MemoryTable
from support.memory_indexes import of_the_template

HISTORIES, FIRST, OFTEN = 800, 1, 10
OWNER, START = "ada", "2026-11-19T00:00:00.000Z"
UNKEYED = subscriptions.IdempotentRequest(OWNER, "", "")
MOODS = (PostResult(204, "204."), PostResult(204, "204."), PostResult(500, "500."), PostResult(0, "Nobody there."))
LOST = (OutcomeUnknown, Refused, LeaseLost)


class UnreliableTable(MemoryTable):
    """Table whose writes sometimes have an unknown outcome: written or not."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(indexes=of_the_template())
        self.rng, self.trouble = rng, 0.0

    def write(self, write: Write) -> dict[str, Any]:
        return dict(self._unreliable(lambda: super(UnreliableTable, self).write(write)))

    def transact(self, writes: Sequence[Write]) -> None:
        self._unreliable(lambda: super(UnreliableTable, self).transact(writes))

    def _unreliable(self, write: Callable[[], Any]) -> Any:
        fate = self.rng.random()
        if fate < self.trouble:
            raise OutcomeUnknown("lost")
        result = write()
        if fate < 2 * self.trouble:
            raise OutcomeUnknown("made")
        return result


class WebhookHistory:
    def __init__(self, seed: int, monkeypatch: pytest.MonkeyPatch, seen: Counter[str]) -> None:
        self.rng, self.now, self.seen = random.Random(seed), START, seen  # noqa: S311
        self.table: Any = UnreliableTable(self.rng)
        self.records: list[dict[str, Any]] = []
        self.calls: list[delivery_attempt.DeliveryAttempt] = []
        self.sent_at: dict[str, list[str]] = {}  # delivery → the times it was sent
        self.grim = self.rng.random() < 0.2  # a receiver that always fails
        self.final = self.rng.random() < 0.5
        monkeypatch.setattr(clock, "now", lambda: self.now)
        monkeypatch.setattr(deliveries, "send", self._record_call)

    def _record_call(self, row: dict[str, Any]) -> None:
        if self.rng.random() < 0.15:
            self.seen["a call of the sender is lost"] += 1
            return
        self.calls.append(delivery_attempt.DeliveryAttempt(OWNER, row["webhook"], row["id"], row["epoch"]))

    def pass_by(self, seconds: float) -> None:
        self.now = clock.after(self.now, seconds)

    def post(self, _url: str, _body: bytes, headers: Any) -> PostResult:
        self.sent_at.setdefault(headers["Readdo-Event-Id"], []).append(self.now)
        self.pass_by(self.rng.choice((0.1, 9.0, 70.0)))  # sometimes longer than the grace time
        if self.grim:
            return PostResult(410, "410.") if self.final else MOODS[-1]
        return self.rng.choice(MOODS)

    def change_item(self) -> None:
        """Capture an item, or archive or unarchive one."""
        items = [row for key, row in self.table.rows.items() if key.sk.startswith("I#")]
        with suppress(*LOST):
            if not items or self.rng.random() < 0.3:
                row = {"owner": OWNER, "id": f"01{len(items):024d}", "served_run_id": "r"}
                key = item_keys.item(OWNER, row["id"])
                self._stream(advance(self.table, create(ITEM, "capture", key, row, who="user", at=self.now)))
                return
            row = self.rng.choice(items)
            trigger = "unarchive" if row["status"] == "ARCHIVED" else "archive"
            self._stream(advance(self.table, move(ITEM, trigger, Key(row["pk"], row["sk"]), who="user", at=self.now)))

    def _stream(self, row: dict[str, Any]) -> None:
        row = self.table.rows[item_keys.item(OWNER, row["id"])]
        if self.rng.random() < 0.1:
            history.fold(self.table, cast("ItemRow", row))
        if self.rng.random() < 0.1:
            self.seen["a record is lost"] += 1
            return
        copies = 2 if self.rng.random() < 0.1 else 1
        self.seen["a record comes twice"] += copies > 1
        self.records += [dict(row)] * copies

    def announce(self) -> None:
        while self.records:
            try:
                fan_out.announce(self.table, self.records[0], {}, self.now)
            except LOST:
                self.seen["the stream brings it again"] += 1
                return
            self.records.pop(0)

    def send(self) -> None:
        if not self.calls:
            return
        attempt = self.calls.pop(self.rng.randrange(len(self.calls)))
        if self.rng.random() < 0.1:
            self.calls.append(attempt)  # delivered twice
        try:
            state = delivery_attempt.deliver(self.table, attempt, self.post)
            self.seen[f"ends {state}"] += 1
        except LeaseLost:
            self.seen["a sender leaves, since it holds nothing"] += 1
        except OutcomeUnknown:
            self.seen["a sender dies"] += 1

    def sweep(self) -> None:
        for row in [r for r in self.table.rows.values() if r.get("due_at", "~") < self.now and r["sk"][0] == "D"]:
            with suppress(*LOST):
                self.seen[f"the heartbeat: {due_deliveries.attend(self.table, dict(row), self.now)}"] += 1

    def manage_webhooks(self) -> None:
        rows = list(subscriptions.list_webhooks(self.table, OWNER))
        with suppress(*LOST, subscriptions.TooMany):
            if len(rows) < 2:
                subscriptions.add(self.table, UNKEYED, f"https://h{len(rows)}.example/", ["*"], self.now)
                return
            hook = self.rng.choice(rows)
            sent_deliveries = [
                r for k, r in self.table.rows.items() if k.pk == integration_keys.deliveries(OWNER, hook["id"])
            ]
            if hook["status"] != "ACTIVE":
                subscriptions.change(self.table, UNKEYED, hook["id"], {"paused": False}, self.now)
            elif sent_deliveries and self.rng.random() < 0.5:
                deliveries.redeliver(self.table, UNKEYED, hook["id"], self.rng.choice(sent_deliveries)["id"], self.now)
                self.seen["redelivered"] += 1
            elif self.rng.random() < 0.3:
                url = f"{hook['url']}a"
                subscriptions.change(self.table, UNKEYED, hook["id"], {"url": url}, self.now)
            elif self.rng.random() < 0.3:
                subscriptions.change(self.table, UNKEYED, hook["id"], {"paused": True}, self.now)

    def play(self) -> None:
        self.manage_webhooks()
        self.table.trouble = self.rng.choice((0.0, 0.02, 0.08))
        acts = (
            self.change_item,
            self.change_item,
            self.announce,
            self.announce,
            self.send,
            self.send,
            self.sweep,
            self.manage_webhooks,
        )
        for _ in range(self.rng.randrange(20, 90)):
            self.rng.choice(acts)()
            self.pass_by(self.rng.choice((0.1, 1.0, 40.0, 700.0)))
        self.table.trouble = 0.0
        for row in [r for k, r in self.table.rows.items() if k.sk.startswith("I#")]:
            self.records.append(dict(row))  # an item's next record replaces all lost ones
        self.announce()
        for _ in range(200):
            while self.calls:
                self.send()
            due = [row["due_at"] for row in self.table.rows.values() if "due_at" in row]
            if not due:
                return
            self.now = max(self.now, clock.after(min(due), 1))
            self.sweep()
        raise AssertionError("it never comes to rest")

    def verdict(self) -> None:
        rows = [row for key, row in self.table.rows.items() if key.sk.startswith("D#")]
        events = Counter((row["webhook"], row["id"]) for row in rows)
        assert all(count == 1 for count in events.values())
        for row in rows:
            assert row["status"] in ("DELIVERED", "FAILED"), row
            assert "due_at" not in row
            assert row["tries"] <= TRIES
        expected = {
            (hook["id"], news.id)
            for hook in subscriptions.list_webhooks(self.table, OWNER)
            for item in (r for k, r in self.table.rows.items() if k.sk.startswith("I#"))
            for news in fan_out.events_of(item)
            if hook["status"] == "ACTIVE" and news.at >= hook["wants"]["*"]
        }
        assert expected <= set(events), f"not told: {expected - set(events)}"


@pytest.mark.parametrize("share", range(4))
def test_history_ends_with_one_delivery_per_event_and_no_due_work(share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Counter[str] = Counter()
    monkeypatch.setattr(
        "readdo.runtime.count_transition", lambda machine, trigger, _: seen.update([f"{machine}: {trigger}"])
    )
    for seed in range(FIRST + share, FIRST + HISTORIES, 4):
        history_of_seed = WebhookHistory(seed, monkeypatch, seen)
        try:
            history_of_seed.play()
            history_of_seed.verdict()
        except AssertionError as failure:
            raise AssertionError(f"seed {seed}: {failure}") from failure
    triggers = {f"{machine.name}: {t}" for machine in (WEBHOOK, DELIVERY) for t in machine.triggers}
    rare = {e: seen[e] for e in triggers - {"webhook: send", "webhook: remove", "delivery: test"} if seen[e] < OFTEN}
    assert not rare, (rare, dict(seen))
