"""Step Functions' double on the stage: it reads the real workflows, and knows as much of the language as they use."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from simulation.network import Network, refused, throttled
from simulation.stage import Actor, Crash
from support import template

Invoke = Callable[[str, dict[str, Any], float], Actor]  # room, event, after how many seconds
_VANISHES = {"process_item": "vanish", "export_item": "vanish_export"}
_OTHERS_VANISH = "vanish_slices"
GONE = "Lambda.Unknown"


class Failed(Exception):
    def __init__(self, error: str, cause: str) -> None:
        super().__init__(error)
        self.error, self.cause = error, cause


class StageWorkflows:
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
            given = json.loads(input)
            self.started[name] = self.stage.spawn(
                "execution", f"▷ {name[-9:]}", lambda: self._execute(stateMachineArn, name, given), after=after
            )

        self.network.write(f"start {name[-9:]}", start, throttled)

    def _execute(self, machine: str, name: str, data: Any) -> str:
        states = _definition(machine)["States"]
        at = _definition(machine)["StartAt"]
        while True:
            if self.network.happens(_VANISHES.get(machine, _OTHERS_VANISH)):
                self.stage.seen["an execution vanishes"] += 1
                self.stage.say("⚡ ends without a word")
                return "ABORTED"
            state = states[at]
            if state["Type"] in ("Succeed", "Fail"):
                return str(state["Type"])
            data, at = self._entered(at, state, data, name)
            if not at:
                return "Succeed"

    def _entered(self, at: str, state: Mapping[str, Any], data: Any, name: str) -> tuple[Any, str]:
        asked = _parameters(state, data, name)
        if state["Type"] == "Pass":
            return asked, state.get("Next", "")
        if state["Type"] == "Choice":
            return data, next((c["Next"] for c in state["Choices"] if _is_met(c, data)), state["Default"])
        if state["Type"] == "Wait":
            self.stage.sleep(data[state["SecondsPath"][2:]])
            return data, state["Next"]
        try:
            return self._task(at, state, asked), state.get("Next", "")
        except Failed as failed:
            for catcher in state.get("Catch", ()):
                if failed.error in catcher["ErrorEquals"] or "States.ALL" in catcher["ErrorEquals"]:
                    told = {"Error": failed.error, "Cause": failed.cause}
                    return {**data, catcher["ResultPath"].removeprefix("$."): told}, catcher["Next"]
            self.stage.seen["an execution fails"] += 1
            return data, ""

    def _task(self, at: str, state: Mapping[str, Any], asked: dict[str, Any]) -> Any:
        retry = state["Retry"][0]
        for tried in range(retry["MaxAttempts"] + 1):
            try:
                return self._invoked(template.room(at), state["TimeoutSeconds"], asked)
            except Failed as failed:
                if failed.error not in retry["ErrorEquals"] or tried == retry["MaxAttempts"]:
                    raise
                self.stage.seen["a room is invoked again"] += 1
                most = retry["IntervalSeconds"] * retry["BackoffRate"] ** tried
                self.stage.sleep(self.stage.rng.uniform(0, most))
        raise AssertionError("a last try either answers or raises")

    def _invoked(self, room: str, seconds: float, asked: dict[str, Any]) -> Any:
        if self.network.happens("throttled"):
            raise Failed("Lambda.TooManyRequestsException", "")
        work = self.invoke(room, asked, 0.0)
        if self.network.happens("twice"):
            after = self.stage.rng.choice((0.0, 0.0, 4.0, 200.0, 1300.0))
            self.stage.seen["a room is invoked twice"] += 1
            self.stage.seen["a second invocation is late, out of order"] += after > 100
            self.invoke(room, asked, after)
        if not self.stage.wait_for(work, seconds):
            self.stage.seen["a room takes longer than it may"] += 1
            raise Failed("States.Timeout", "")
        if work.error is None:
            return work.value
        if isinstance(work.error, Crash):
            raise Failed(GONE, "")
        told = {"errorType": type(work.error).__name__, "errorMessage": str(work.error)}
        raise Failed(type(work.error).__name__, json.dumps(told))


@cache
def _definition(machine: str) -> dict[str, Any]:
    return template.definition(f"statemachine/{machine}.asl.json")


def _is_met(choice: Mapping[str, Any], data: Any) -> bool:
    value = data[choice["Variable"][2:]]
    return value is choice["BooleanEquals"] if "BooleanEquals" in choice else value > choice["NumericGreaterThan"]


def _parameters(state: Mapping[str, Any], data: Any, name: str) -> Any:
    if "Parameters" not in state:
        return data
    known = {"$$.Execution.Name": name}
    found = {}
    for key, value in state["Parameters"].items():
        path = value if key.endswith(".$") else None
        found[key.removesuffix(".$")] = known.get(path, data.get(str(path)[2:])) if path else value
    return found
