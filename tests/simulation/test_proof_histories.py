"""Random histories of proof jobs: users, heartbeats and repeated deliveries act while the model works.

After each step the counts of a job add up and agree with its chunks. A pause stops new calls to the model. At the end
every text is merged with each chunk once and in order.
"""

import gc
import random
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import pytest

from readdo import clock
from readdo.lifecycle import advance
from readdo.lifecycle.proof_chunk import CHUNK
from readdo.lifecycle.proof_job import JOB
from support.proof_jobs import OPTIONS, TEXT, create_job
from support.proof_model import failure, local_model, wrong_at_the_end, wrong_with
from support.tiers import PROOF_HISTORIES
from support.world import World, world

STEPS = 16
LONG_TEXT = TEXT + TEXT.partition("chunk-1")[2].replace("chunk-", "part-")
EXPECTED = LONG_TEXT.replace("checked", "CHECKED")
COMMANDS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(
        ("validate", {}),
        ("start", {}),
        ("resume", {}),
        ("retry-failed", {}),
        ("merge", {}),
        ("merge", {"as_input": True}),
    ),
    *(("pause", {}), ("pause", {"drain": True}), ("retry-failed", {"model": "other"})),
)
# Moves that need other faults, days of waiting, or a slow model. Other tests of the Proof desk have them.
ELSEWHERE = {"fail_merge", "expire", "keep_text", "lose_validation", "lose_merge", "fail_validation", "lose_drain"}
ELSEWHERE |= {"wait_longer", "try_again", "restore_queued", "restore_done"}


# The name of the class is the name of the error that Step Functions reports.
Throttled = type("Lambda.TooManyRequestsException", (Exception,), {})


class History:
    """A seeded history. Whatever happens is decided by its random numbers."""

    def __init__(self, opened: World, seed: int) -> None:
        self.world, self.random = opened, random.Random(seed)  # noqa: S311 - repeatable
        self.jobs: list[str] = []
        self.gone: set[str] = set()
        self.wrong: list[str] = []
        self.hours = 0.0
        self.depth = 0
        self.failing = 0  # calls to the model that still fail
        self.vanishing = 0  # invocations that still end without a trace
        self.throttled = 0  # invocations that find no place; the workflow tries nine times
        self.is_calm = False

    def run(self) -> list[str]:
        now = clock.now
        with (
            local_model(self.answer),
            mock.patch.object(clock, "now", lambda: clock.after(now(), self.hours * 3600)),
        ):
            self.world.instead = dict.fromkeys(("proof_slice", "proof_merge", "record_failure"), self.invocation)
            for _ in range(self.random.randint(1, 4)):
                options = {**OPTIONS, "max_concurrency": self.random.choice((1, 1, 3))}
                self.jobs.append(create_job(self.world, LONG_TEXT, **options))
            for _ in range(STEPS):
                self.act()
                if self.random.random() < 0.6:
                    self.world.settle()
                self.check()
            self.finish()
        return self.wrong

    def invocation(self, handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        """A function that may find no place, or whose process may vanish before it begins."""
        if self.throttled and not self.is_calm:
            self.throttled -= 1
            raise Throttled("Rate Exceeded.")
        if self.vanishing and not self.is_calm:
            self.vanishing -= 1
            raise RuntimeError("the process vanished")
        return handler(event)

    def answer(self, text: str) -> str:
        """The model: it answers, fails, or something happens while it works."""
        chance = self.random.random()
        if self.failing and not self.is_calm:
            self.failing -= 1
            raise failure("401")
        if self.is_calm or chance > 0.5:
            return text.replace("checked", "CHECKED")
        if chance < 0.08:
            raise failure(self.random.choice(("503", "429", "401", "400", "timeout", "reply_invalid")))
        if chance < 0.12:
            return ""
        if chance < 0.15:
            self.failing = 6
        if self.depth < 2:
            self.depth += 1
            self.act()
            self.depth -= 1
        return text.replace("checked", "CHECKED")

    def act(self) -> None:
        job_id = self.random.choice(self.jobs)
        chance = self.random.random()
        if chance < 0.04:
            if self.world.api("POST", f"/jobs/{job_id}/reset", {"confirm": True}).status == 204:
                self.gone.add(job_id)
        elif chance < 0.2:
            self.hours += self.random.choice((0.0, 0.02, 1.0))
            self.world.heartbeat()
        elif chance < 0.3:
            self.repeat_a_delivery()
        elif chance < 0.35:
            self.vanishing = self.random.randint(1, 2)
        elif chance < 0.37:
            self.throttled = self.random.randint(5, 12)
        else:
            verb, body = self.command(job_id)
            key = self.random.choice(("", f"k{self.random.randint(0, 5)}"))
            answer = self.world.api("POST", f"/jobs/{job_id}/{verb}", body, key=key)
            if answer.status not in (200, 202, 404, 409, 422):
                self.wrong.append(f"{verb} was answered {answer.status}: {answer.text[:200]}")

    def command(self, job_id: str) -> tuple[str, dict[str, Any]]:
        """Any command, or more often one that is possible."""
        if self.random.random() < 0.3:
            return self.random.choice(COMMANDS)
        actions = self.world.api("GET", f"/jobs/{job_id}").json.get("available_actions", ())
        possible = {action["action"] for action in actions}
        return self.random.choice([command for command in COMMANDS if command[0] in possible] or COMMANDS)

    def repeat_a_delivery(self) -> None:
        """Lambda delivers an event of a slice once more, at any time."""
        events = [event for room, event in self.world.invoked if room == "proof_slice"]
        if events:
            try:
                self.world.invoke("proof_slice", self.random.choice(events[-4:]))
            except Exception as error:
                if type(error).__name__ not in ("LeaseLost", "Unexpected", "RuntimeError", Throttled.__name__):
                    raise

    def check(self) -> None:
        for job_id in self.jobs:
            self.wrong += [f"{job_id}: {words}" for words in wrong_with(self.world, job_id)]

    def finish(self) -> None:
        """The user goes on with each job until it is done."""
        self.is_calm = True
        verbs = ("validate", "resume", "retry-failed", "merge")
        for _ in range(30):
            self.world.settle()
            self.hours += 1
            self.world.heartbeat()
            self.world.settle()
            for job_id in self.jobs:
                answer = self.world.api("GET", f"/jobs/{job_id}")
                actions = [action["action"] for action in answer.json.get("available_actions", ())]
                phase = answer.json.get("job", {}).get("phase")
                verb = next(
                    (verb for verb in verbs if verb in actions and not (verb == "validate" and phase == "process")), ""
                )
                if verb:
                    self.world.api("POST", f"/jobs/{job_id}/{verb}", {})
        for job_id in set(self.jobs) - self.gone:
            self.wrong += [f"{job_id}: {words}" for words in wrong_at_the_end(self.world, job_id, EXPECTED)]
        for job_id in self.gone:
            if self.world.api("GET", f"/jobs/{job_id}").status != 404:
                self.wrong.append(f"{job_id} is still there")


@pytest.fixture
def triggers() -> Iterator[set[tuple[str, str]]]:
    """The moves that were made."""
    made: set[tuple[str, str]] = set()
    count = advance._count

    def counting(*steps: Any) -> None:
        made.update((step.machine.name, step.trigger) for step in steps if isinstance(step, advance.Move))
        count(*steps)

    with mock.patch.object(advance, "_count", counting):
        yield made


def test_random_histories_keep_every_promise(triggers: set[tuple[str, str]]) -> None:
    wrong = {}
    for seed in PROOF_HISTORIES:
        with world() as opened:
            if found := History(opened, seed).run():
                wrong[seed] = found[:5]
        gc.collect()  # a world has cycles, and dozens of them would wait for the collector
    assert wrong == {}
    expected = {(machine.name, trigger) for machine in (JOB, CHUNK) for trigger in machine.triggers}
    assert {(name, trigger) for name, trigger in expected - triggers if trigger not in ELSEWHERE} == set()


def test_pause_stops_new_calls_to_the_model() -> None:
    calls: list[str] = []

    def answer(text: str) -> str:
        calls.append(text)
        if len(calls) == 2:
            assert opened.api("POST", f"/jobs/{job_id}/pause", {}).status == 200
        return text

    with world() as opened, local_model(answer):
        job_id = create_job(opened, TEXT, **OPTIONS, max_concurrency=1)
        for verb in ("validate", "start"):
            assert opened.api("POST", f"/jobs/{job_id}/{verb}", {}).status == 202
            opened.settle()
        assert len(calls) == 2
        chunks = opened.api("GET", f"/jobs/{job_id}/chunks").json["chunks"]
        assert [chunk["state"] for chunk in chunks] == ["done", *["pending"] * 5]
