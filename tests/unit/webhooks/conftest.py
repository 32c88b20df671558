"""The table of somebody with a webhook, and the sender that is called and does nothing here."""

import json
from typing import Any

import pytest

from readdo import lambda_invocation
from support.hook_rows import HOOK, SECRET, hook
from support.races import Raced


@pytest.fixture(autouse=True)
def called(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the sender was given."""
    given: list[dict[str, Any]] = []

    class Aws:
        def invoke(self, **asked: Any) -> None:
            given.append(json.loads(asked["Payload"]))

    monkeypatch.setenv("DELIVER_ARN", "arn")
    monkeypatch.setattr(lambda_invocation, "client", lambda _: Aws())
    return given


@pytest.fixture
def table() -> Raced:
    found = Raced()
    found.has(HOOK, hook())
    found.has(SECRET, {"secret": "rdw_密"})
    return found
