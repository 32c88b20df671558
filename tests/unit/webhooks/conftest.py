"""A table with one webhook, and a sender that records its invocations without sending."""

import json
from typing import Any

import pytest

from support.hook_rows import HOOK, SECRET, hook
from support.races import Raced


@pytest.fixture(autouse=True)
def invocations(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Record the payloads that the sender is invoked with."""
    payloads: list[dict[str, Any]] = []

    class FakeLambda:
        def invoke(self, **parameters: Any) -> None:
            payloads.append(json.loads(parameters["Payload"]))

    monkeypatch.setenv("DELIVER_ARN", "arn")
    monkeypatch.setattr("readdo.invocations.client", lambda _: FakeLambda())
    return payloads


@pytest.fixture
def table() -> Raced:
    raced = Raced()
    raced.has(HOOK, hook())
    raced.has(SECRET, {"secret": "rdw_密"})
    return raced
