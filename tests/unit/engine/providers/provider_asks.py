"""Helpers for provider tests: one question, three APIs, and a retry clock that does not sleep."""

import time
from typing import Any

import pytest

from readdo.engine.providers.bedrock import Bedrock
from readdo.engine.providers.openai_server import ModelSettings, OpenAIServer
from readdo.engine.providers.provider_errors import StepFailed
from readdo.engine.providers.provider_protocol import Completion, Question, Turns
from readdo.engine.providers.provider_retry import RetryClock
from support.model_server import Server

KEY = "sk-very-secret-0123456789"
TEXT = "An article about tide tables 潮汐表"
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["points"],
    "properties": {"points": {"type": "array", "minItems": 1, "items": {"type": "string", "maxLength": 80}}},
}
GOOD = {"points": ["low water at noon", "涨潮在傍晚"]}
QUESTION = Question("card", "You write cards.", TEXT, SCHEMA, 300)
WAYS = ("chat", "responses", "bedrock")
SOON = 0.3  # a short deadline, for servers that never answer


def pace(slept: list[float] | None = None) -> RetryClock:
    return RetryClock(sleep=(slept if slept is not None else []).append, draw=lambda: 0.5)


def openai(url: str, api: Any = "chat", *, key: str = KEY, model: str = "m1", slept: Any = None) -> OpenAIServer:
    return OpenAIServer(ModelSettings(model, url, api, lambda: key), pace(slept))


def provider(way: str, server: Server, *, slept: Any = None) -> OpenAIServer | Bedrock:
    if way == "bedrock":
        return Bedrock("anthropic.m1-v1:0", server.root, pace=pace(slept))
    return openai(server.url, way, slept=slept)


def ask(model: OpenAIServer | Bedrock, seconds: float = 20.0, *, turns: Turns = ()) -> Completion:
    return model.ask(QUESTION, time.monotonic() + seconds, turns=turns)


def expect_failure(model: OpenAIServer | Bedrock, seconds: float = 20.0) -> StepFailed:
    with pytest.raises(StepFailed) as caught:
        ask(model, seconds)
    failure = caught.value
    for text in (failure.message, failure.debug, str(failure)):
        assert KEY not in text
        assert "tide" not in text and "潮" not in text
    assert 20 < len(failure.message) <= 300
    assert failure.message.rstrip().endswith(".")
    return failure


def tokens_spent(failure: StepFailed) -> tuple[int, int]:
    """Return the tokens of the answers that came before the failure."""
    return sum(one.input_tokens for one in failure.answers), sum(one.output_tokens for one in failure.answers)
