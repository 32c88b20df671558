"""A model server with scripted answers, and the settings that point the product at it."""

from collections.abc import Iterator
from typing import Any

import pytest

from readdo.engine import budget, settings
from support.model_server import Behaviour, ModelRequest, Server, model_server, ok
from support.world import World

QUOTE = "checking the epoch let none through."
GOOD: dict[str, dict[str, Any]] = {
    "summary": {
        "bullets": [
            "A lease keeps two workers apart.",
            "404 stale writes came through.",
            "The epoch lets none through.",
        ],
        "insight": "Without the lease's number on every write a lease is only a hint.",
        "evidence": [{"quote": QUOTE}, {"quote": "The moon is made of cheese, they say."}],
    },
    "score": {
        "signals": {"intent_match": 92, "content_signal": 85, "effort_fit": 80},
        "reasons": ["It names the job queue's leases.", "It compares three designs.", "It gives steps to begin with."],
        "confidence": 0.8,
        "evidence": [{"quote": QUOTE, "supports": "reason#2"}],
    },
    "todos": {
        "todos": [
            {
                "title": f"{verb} every write of a worker",
                "eta": "30m",
                "type": kind,
                "why": "w",
                "priority": "P1",
                "tags": ["leases"],
            }
            for verb, kind in (("List", "WRITE"), ("Fence", "BUILD"), ("Review", "REVIEW"))
        ]
    },
    "card": {
        "headline": "Fence every write by its lease",
        "points": ["A lease keeps two workers apart.", "The epoch lets none through.", "Begin with a list of writes."],
        "insight": "A lease without a fence is only a hint.",
        "action": "List every write a worker makes",
        "hashtags": ["leases"],
        "caption": "Why it matters.",
        "evidence": [{"quote": QUOTE}],
    },
}


def kind_of(request: ModelRequest) -> str:
    starts = {"You read for": "summary", "You judge": "score", "You turn": "todos", "You make": "card"}
    return next(kind for start, kind in starts.items() if request.system.startswith(start))


def scripted_answer(request: ModelRequest) -> Any:
    return ok(GOOD[kind_of(request)], tokens=(1000, 200))(request)


@pytest.fixture
def with_model(fresh: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Start the model server with a script and configure the product to use it."""
    opened: list[Any] = []

    def start(*script: Behaviour, **more: str) -> Server:
        context = model_server(*script)
        server: Server = context.__enter__()
        opened.append(context)
        environment = {
            "ENGINE": "openai",
            "MODEL_NAME": "served-model",
            "MODEL_BASE_URL": server.url,
            "DAILY_TOKENS": "900000",
        }
        for name, value in {**environment, **more}.items():
            monkeypatch.setenv(name, value)
        return server

    settings._stored_key.cache_clear()
    yield start
    fresh.settle()
    for context in opened:
        context.__exit__(None, None, None)


def tokens_used(world: World) -> int:
    return budget.used_today(world.table, world.owner)
