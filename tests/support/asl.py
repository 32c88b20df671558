"""Interpreter of the real workflows: the part of the Amazon States Language that they use."""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from support import template


class Failed(Exception):
    """Failed task, as a Retry and a Catch see it."""

    def __init__(self, error: str, cause: str) -> None:
        super().__init__(error)
        self.error, self.cause = error, cause


class Interpreter(ABC):
    """Run a workflow.

    Subclasses define `invoke_room` (call a function) and `sleep`. `vanishes` returns True to abort an execution.
    """

    @abstractmethod
    def invoke_room(self, room: str, seconds: float, event: dict[str, Any]) -> Any:
        """Return the result of the function, or raise Failed."""

    @abstractmethod
    def sleep(self, seconds: float) -> None: ...

    def wait_before_retry(self, retry: Mapping[str, Any], attempt: int) -> None:
        del retry, attempt

    def vanishes(self, machine: str) -> bool:
        del machine
        return False

    def workflow(self, machine: str) -> dict[str, Any]:
        return definition(machine)

    def execute(self, machine: str, name: str, data: Any, at: str = "") -> str:
        """Return how the execution ends: SUCCEEDED, FAILED or ABORTED. `at`: the state, if it is not the first."""
        workflow = self.workflow(machine)
        states, at = workflow["States"], at or workflow["StartAt"]
        while True:
            if self.vanishes(machine):
                return "ABORTED"
            state = states[at]
            if state["Type"] in ("Succeed", "Fail"):
                return "SUCCEEDED" if state["Type"] == "Succeed" else "FAILED"
            try:
                data, at = self._enter(at, state, data, name)
            except Failed:
                return "FAILED"
            if not at:
                return "SUCCEEDED"

    def _enter(self, at: str, state: Mapping[str, Any], data: Any, name: str) -> tuple[Any, str]:
        parameters = _parameters(state, data, name)
        if state["Type"] == "Pass":
            return parameters, state.get("Next", "")
        if state["Type"] == "Choice":
            return data, next((c["Next"] for c in state["Choices"] if _is_met(c, data)), state["Default"])
        if state["Type"] == "Wait":
            self.sleep(data[state["SecondsPath"][2:]])
            return data, state["Next"]
        try:
            return self._task(at, state, parameters), state.get("Next", "")
        except Failed as failed:
            for catcher in state.get("Catch", ()):
                if failed.error in catcher["ErrorEquals"] or "States.ALL" in catcher["ErrorEquals"]:
                    caught = {"Error": failed.error, "Cause": failed.cause}
                    return {**data, catcher["ResultPath"].removeprefix("$."): caught}, catcher["Next"]
            raise

    def _task(self, at: str, state: Mapping[str, Any], parameters: dict[str, Any]) -> Any:
        tried: Counter[int] = Counter()  # by the place of the rule
        while True:
            try:
                return self.invoke_room(template.function_name(at), state["TimeoutSeconds"], parameters)
            except Failed as failed:
                rules = enumerate(state["Retry"])
                place, rule = next((one for one in rules if failed.error in one[1]["ErrorEquals"]), (0, None))
                if rule is None or tried[place] == rule["MaxAttempts"]:
                    raise
                self.wait_before_retry(rule, tried[place])
                tried[place] += 1


@cache
def definition(machine: str) -> dict[str, Any]:
    return template.definition(f"statemachine/{machine}.asl.json")


def failure_of(error: BaseException) -> Failed:
    """Convert a handler's exception into the failure that Lambda hands to Step Functions."""
    cause = {"errorType": type(error).__name__, "errorMessage": str(error)}
    return Failed(type(error).__name__, json.dumps(cause))


def _is_met(choice: Mapping[str, Any], data: Any) -> bool:
    value = data[choice["Variable"][2:]]
    if "StringEquals" in choice:
        return bool(value == choice["StringEquals"])
    return value is choice["BooleanEquals"] if "BooleanEquals" in choice else value > choice["NumericGreaterThan"]


def _parameters(state: Mapping[str, Any], data: Any, name: str) -> Any:
    if "Parameters" not in state:
        return data
    context = {"$$.Execution.Name": name}
    parameters = {}
    for key, value in state["Parameters"].items():
        path = value if key.endswith(".$") else None
        parameters[key.removesuffix(".$")] = context.get(path, data.get(str(path)[2:])) if path else value
    return parameters
