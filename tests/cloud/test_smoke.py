"""Steps of `make smoke` that only AWS can show, against a scripted deployment."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests

from smoke import steps
from smoke.deployment import Deployment, LeftOut, SmokeFailure

PARAMETERS = [
    {"ParameterKey": "Engine", "ParameterValue": "extractive"},
    {"ParameterKey": "LogLevel", "ParameterValue": "INFO"},
]


def answer(status: int, body: Any = None) -> requests.Response:
    response = requests.Response()
    response.status_code, response._content = status, json.dumps(body).encode()
    return response


@dataclass
class ScriptedDeployment(Deployment):
    """Answers requests with these statuses, then with the last one. Items become READY unless they are named."""

    statuses: Iterator[int] = field(default_factory=lambda: iter(()))
    failing: frozenset[str] = frozenset()
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def request(self, method: str, path: str, body: Any = None) -> requests.Response:
        if body is not None:
            return answer(201, {"item": {"id": f"item-{next(self.numbers)}"}})
        assert method == "GET"
        if path.startswith("/items/"):
            failed = path.removeprefix("/items/") in self.failing
            return answer(200, {"item": {"status": "FAILED_AI" if failed else "READY"}})
        return answer(next(self.statuses, 200))


class Stack:
    """CloudFormation with one stack. Updates end when the deployment has had a request."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []

    def describe_stacks(self, **_: Any) -> dict[str, Any]:
        return {"Stacks": [{"Parameters": PARAMETERS}]}

    def update_stack(self, **request: Any) -> None:
        self.updates.append(request)

    def get_waiter(self, _: str) -> "Stack":
        return self

    def wait(self, **_: Any) -> None:
        """The update ends at once."""


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> Stack:
    stack = Stack()
    monkeypatch.setattr(steps, "client", lambda _: stack)
    monkeypatch.setattr(steps, "PAUSE_SECONDS", 0)
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    return stack


def deployment(**more: Any) -> ScriptedDeployment:
    return ScriptedDeployment(Path("/nowhere"), "https://api.example.org", "token", **more)


def test_upgrade_changes_the_log_level_and_back(stack: Stack) -> None:
    assert "none failed" in steps.check_upgrade(deployment())
    levels = [update["Parameters"][-1]["ParameterValue"] for update in stack.updates]
    assert levels == ["WARNING", "INFO"]
    assert stack.updates[0]["UsePreviousTemplate"] is True
    assert stack.updates[0]["Parameters"][0] == {"ParameterKey": "Engine", "UsePreviousValue": True}


@pytest.mark.usefixtures("stack")
def test_upgrade_with_an_error_of_the_server_fails() -> None:
    with pytest.raises(SmokeFailure, match="503"):
        steps.check_upgrade(deployment(statuses=iter([200, 503])))


def test_burst_needs_every_item_ready() -> None:
    assert "40 items at once are READY" in steps.check_burst(deployment())
    with pytest.raises(SmokeFailure, match="'FAILED_AI': 1"):
        steps.check_burst(deployment(failing=frozenset({"item-7"})))


@pytest.mark.parametrize("step", [steps.check_upgrade, steps.check_burst])
def test_steps_of_aws_are_left_out_on_the_local_stack(step: Any) -> None:
    local = Deployment(Path("/nowhere"), "http://127.0.0.1:4600", "token")
    with pytest.raises(LeftOut, match="only AWS"):
        step(local)
