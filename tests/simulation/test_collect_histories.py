"""Random histories of the Collect desk: users, workers, crashes, late and doubled outputs, and clock jumps.

Before a write, another action may run, or the process may die before or after it. After each step nothing is done
without a passed verification, each assignment belongs to at most one batch, and the figures equal a recount.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

from readdo import clock
from readdo.lifecycle import advance
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.collect_batch import BATCH
from readdo.lifecycle.write import OutcomeUnknown, Write
from support.collect_invariants import wrong_at_the_end, wrong_now
from support.collect_pool import STATUSES, document, output_of, result, supplement
from support.tiers import COLLECT_HISTORIES
from support.world import World, world

STEPS = 30
PATHS = ("a.md", "b.md", "c.md", "d.md")
TEXTS = (document(), document(100, 99, "y"), document(10, 10, "z"), document(name="w"))
# A changed rule is in test_collect_batches.py, our own worker in test_collect_own_worker.py and test_faults_collect.py,
# and restores are in test_backup_collect.py.
RESTORED = {f"restore_{state}" for state in ("pending", "partial", "failed", "skipped", "done")}
ELSEWHERE = {"mark_invalid", "start_again", "lose_work", *RESTORED}


class History:
    """A seeded history. Whatever happens is decided by its random numbers."""

    def __init__(self, opened: World, seed: int) -> None:
        self.world, self.random = opened, random.Random(seed)  # noqa: S311 - repeatable
        self.wrong: list[str] = []
        self.hours = 0.0
        self.depth = 0
        self.count = 0
        self.sent: list[tuple[dict[str, Any], Any]] = []
        self.events: Counter[str] = Counter()
        self.is_calm = False

    def run(self) -> list[str]:
        now = clock.now
        with mock.patch.object(clock, "now", lambda: clock.after(now(), self.hours * 3600)), self.racing():
            for _ in range(STEPS):
                self.act()
                if self.depth == 0:
                    self.wrong += wrong_now(self.world)
            self.is_calm = True
            for _ in range(4):
                self.hours += 2
                self.world.heartbeat()
            self.wrong += wrong_at_the_end(self.world)
        return self.wrong

    @contextmanager
    def racing(self) -> Iterator[None]:
        """Another action before a transaction, or a crash before or after it."""
        transact = self.world.table.transact

        def racy(writes: Sequence[Write]) -> None:
            chance = 1.0 if self.is_calm else self.random.random()
            if chance < 0.12 and self.depth < 2:
                self.depth += 1
                self.events["race"] += 1
                self.act()
                self.depth -= 1
            elif 0.12 <= chance < 0.17:
                self.events["crash"] += 1
                raise RuntimeError("the process died before the write")
            transact(writes)
            if 0.17 <= chance < 0.2:
                self.events["crash"] += 1
                raise RuntimeError("the process died after the write")
            if 0.2 <= chance < 0.23:
                raise OutcomeUnknown("no response")

        with mock.patch.object(self.world.table, "transact", racy):
            yield

    def act(self) -> None:
        weights = {self.add: 3, self.put: 3, self.pick: 4, self.send: 6, self.resend: 2, self.command: 3, self.beat: 3}
        (action,) = self.random.choices(list(weights), list(weights.values()))
        action()

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        answer = self.world.api(method, path, body, **more)
        if answer.status >= 500 and self.is_calm:
            self.wrong.append(f"{method} {path} was answered {answer.status}: {answer.text[:200]}")
        return answer

    def add(self) -> None:
        self.count += 1
        paths = self.random.sample(PATHS, self.random.randint(1, 2))
        create = {
            **{"type": "create_document", "document_list": [{"title": "t", "file": paths[0]}]},
            **{"target_count": 2, "search_keywords": "k"},
        }
        more: dict[str, Any] = {"priority": self.random.randint(1, 5)} if self.random.random() < 0.5 else {}
        names = [f"{self.count}", f"{self.random.randint(1, self.count)}"]
        kinds = [supplement(names[0], *paths, **more), {"id": names[-1], **create, **more}]
        if self.random.random() < 0.1:
            kinds.append({"id": f"s{self.count}", "requires_permission": True, "status": "skipped", "reason": "r"})
        self.call("POST", "/assignments", self.random.sample(kinds, self.random.randint(1, len(kinds))))

    def put(self) -> None:
        self.call("PUT", f"/documents/{self.random.choice(PATHS)}", {"content": self.random.choice(TEXTS)})

    def pick(self) -> None:
        self.call("POST", "/batches", {}, key=self.random.choice(("", "", f"k{self.random.randint(0, 9)}")))

    def send(self) -> None:
        batches = self.call("GET", "/batches?status=open,applying,timed_out").json["batches"]
        if not batches:
            return
        batch = self.random.choice(batches)
        chance = self.random.random()
        listed = [name for name in batch["ids"] if self.random.random() < 0.9]
        results = [self.result(name) for name in listed]
        output = {**output_of(batch, *results), "results": results}
        output["summary"] = {**dict.fromkeys(STATUSES, 0), **Counter(one["status"] for one in results)}
        output["summary"] = {**output["summary"], "total": len(results)}
        self.sent.append((batch, output))
        path = f"/batches/{batch['batch_name']}/output"
        if chance < 0.05:
            self.call("PUT", path, raw="no JSON")
        elif chance < 0.15:
            self.call("PUT", path, {**output, "summary": {}})
        elif chance < 0.2:
            self.call("PUT", f"{path}?dry_run=true", output)
        else:
            self.call("PUT", path, output)

    def result(self, name: str) -> dict[str, Any]:
        status = self.random.choices(STATUSES, (8, 2, 2, 2, 1))[0]
        return result(name, status, result={"documents": self.random.sample(PATHS, 1), "completion_rate": 1.0})

    def resend(self) -> None:
        """A late or doubled output."""
        if self.sent:
            batch, output = self.random.choice(self.sent)
            self.call("PUT", f"/batches/{batch['batch_name']}/output", output)

    def command(self) -> None:
        verb, status = self.random.choice((("skip", "pending"), ("retry", "failed"), ("continue", "partial")))
        body = {"reason": "an account"} if verb == "skip" else {}
        fitting = self.call("GET", f"/assignments?status={status}").json["assignments"]
        names = [row["id"] for row in fitting] or [f"{self.random.randint(1, self.count + 1)}"]
        self.call("POST", f"/assignments/{self.random.choice(names)}/{verb}", body)

    def beat(self) -> None:
        self.hours += self.random.choice((0.0, 0.05, 1.1))
        self.world.heartbeat()


def test_random_histories_keep_every_promise() -> None:
    wrong, events = {}, Counter[str]()
    made: set[tuple[str, str]] = set()
    count = advance._count

    def counting(*steps: Any) -> None:
        made.update((step.machine.name, step.trigger) for step in steps if isinstance(step, advance.Move))
        count(*steps)

    with mock.patch.object(advance, "_count", counting):
        for seed in COLLECT_HISTORIES:
            with world() as opened:
                history = History(opened, seed)
                if found := history.run():
                    wrong[seed] = found[:5]
                events.update(history.events)
    assert wrong == {}
    expected = {(machine.name, trigger) for machine in (ASSIGNMENT, BATCH) for trigger in machine.triggers}
    assert {(name, trigger) for name, trigger in expected - made if trigger not in ELSEWHERE} == set()
    assert min(events["race"], events["crash"]) > len(COLLECT_HISTORIES) / 2
