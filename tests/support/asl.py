"""The real workflows, read and run: as much of the Amazon States Language as they use."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from typing import Any

from support import template


class Failed(Exception):
    """A task that failed, as a Retry and a Catch see it."""

    def __init__(self, error: str, cause: str) -> None:
        super().__init__(error)
        self.error, self.cause = error, cause


class Interpreter(ABC):
    """`invoke_room` and `sleep` say where it runs; `vanishes` ends an execution without a word."""

    @abstractmethod
    def invoke_room(self, room: str, seconds: float, given: dict[str, Any]) -> Any:
        """The room's answer; Failed."""

    @abstractmethod
    def sleep(self, seconds: float) -> None: ...

    def wait_before_retry(self, retry: Mapping[str, Any], tried: int) -> None:
        del retry, tried

    def vanishes(self, machine: str) -> bool:
        del machine
        return False

    def execute(self, machine: str, name: str, data: Any) -> str:
        """How the execution ends: SUCCEEDED, FAILED or ABORTED."""
        found = definition(machine)
        states, at = found["States"], found["StartAt"]
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
        given = _parameters(state, data, name)
        if state["Type"] == "Pass":
            return given, state.get("Next", "")
        if state["Type"] == "Choice":
            return data, next((c["Next"] for c in state["Choices"] if _is_met(c, data)), state["Default"])
        if state["Type"] == "Wait":
            self.sleep(data[state["SecondsPath"][2:]])
            return data, state["Next"]
        try:
            return self._task(at, state, given), state.get("Next", "")
        except Failed as failed:
            for catcher in state.get("Catch", ()):
                if failed.error in catcher["ErrorEquals"] or "States.ALL" in catcher["ErrorEquals"]:
                    caught = {"Error": failed.error, "Cause": failed.cause}
                    return {**data, catcher["ResultPath"].removeprefix("$."): caught}, catcher["Next"]
            raise

    def _task(self, at: str, state: Mapping[str, Any], given: dict[str, Any]) -> Any:
        retry = state["Retry"][0]
        for tried in range(retry["MaxAttempts"] + 1):
            try:
                return self.invoke_room(template.room(at), state["TimeoutSeconds"], given)
            except Failed as failed:
                if failed.error not in retry["ErrorEquals"] or tried == retry["MaxAttempts"]:
                    raise
                self.wait_before_retry(retry, tried)
        raise AssertionError("a last try either answers or raises")


@cache
def definition(machine: str) -> dict[str, Any]:
    return template.definition(f"statemachine/{machine}.asl.json")


def failure_of(error: BaseException) -> Failed:
    """A handler's exception, as Lambda hands it to Step Functions."""
    cause = {"errorType": type(error).__name__, "errorMessage": str(error)}
    return Failed(type(error).__name__, json.dumps(cause))


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
