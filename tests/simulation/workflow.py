"""Step Functions double of the simulation: interprets the real workflows; its calls fail at random."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from simulation.network import Network, refused, throttled
from simulation.stage import Actor, Crash
from support.asl import Failed, Interpreter, failure_of

Invoke = Callable[[str, dict[str, Any], float], Actor]  # function, event, delay in seconds
_VANISHES = {"process_item": "vanish", "export_item": "vanish_export"}
_OTHERS_VANISH = "vanish_slices"
GONE = "Lambda.Unknown"


class StageWorkflows(Interpreter):
    def __init__(self, network: Network, invoke: Invoke) -> None:
        self.network, self.stage = network, network.stage
        self.invoke = invoke
        self.started: dict[str, Actor] = {}

    def start_execution(self, *, stateMachineArn: str, name: str, input: str) -> None:  # noqa: N803  # AWS's own names
        def start() -> None:
            if name in self.started:
                raise refused("ExecutionAlreadyExists", name)
            after = self.stage.rng.choice((3.0, 90.0)) if self.network.happens("late") else 0.0
            self.stage.seen["an execution comes late"] += after > 0
            data = json.loads(input)
            self.started[name] = self.stage.spawn(
                "execution", f"▷ {name[-9:]}", lambda: self._run(stateMachineArn, name, data), after=after
            )

        self.network.write(f"start {name[-9:]}", start, throttled)

    def _run(self, machine: str, name: str, data: Any) -> str:
        status = self.execute(machine, name, data)
        self.stage.seen["an execution fails"] += status == "FAILED"
        return status

    def vanishes(self, machine: str) -> bool:
        vanished = self.network.happens(_VANISHES.get(machine, _OTHERS_VANISH))
        if vanished:
            self.stage.seen["an execution vanishes"] += 1
            self.stage.say("⚡ ends without a word")
        return vanished

    def sleep(self, seconds: float) -> None:
        self.stage.sleep(seconds)

    def wait_before_retry(self, retry: Mapping[str, Any], attempt: int) -> None:
        self.stage.seen["a room is invoked again"] += 1
        pause = retry["IntervalSeconds"] * retry["BackoffRate"] ** attempt
        self.stage.sleep(self.stage.rng.uniform(0, min(pause, retry.get("MaxDelaySeconds", pause))))

    def invoke_room(self, room: str, seconds: float, event: dict[str, Any]) -> Any:
        if self.network.happens("throttled"):
            raise Failed("Lambda.TooManyRequestsException", "")
        work = self.invoke(room, event, 0.0)
        if self.network.happens("twice"):
            after = self.stage.rng.choice((0.0, 0.0, 4.0, 200.0, 1300.0))
            self.stage.seen["a room is invoked twice"] += 1
            self.stage.seen["a second invocation is late, out of order"] += after > 100
            self.invoke(room, event, after)
        if not self.stage.wait_for(work, seconds):
            self.stage.seen["a room takes longer than it may"] += 1
            raise Failed("States.Timeout", "")
        if work.error is None:
            return work.value
        if isinstance(work.error, Crash):
            raise Failed(GONE, "")
        raise failure_of(work.error)
