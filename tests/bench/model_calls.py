"""Count the model calls of one item when every step is delivered twice."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bench.figure import Figure, Figures, Say
from bench.usage import STEPS_WITH_MODEL
from flow.scripted_model import scripted_answer
from readdo.engine import settings
from support.model_server import Server, model_server
from support.moto import moto_world
from support.world import World

ROOMS = ("lease", "extract", *STEPS_WITH_MODEL, "gate")


def figures(say: Say) -> Figures:
    say("processing an item with every step delivered twice")
    with moto_world() as world:
        yield Figure("model calls, each step delivered twice", calls(world), "", len(STEPS_WITH_MODEL), 1, equal=True)


def calls(world: World) -> int:
    """Process one item to READY and return the number of model calls."""
    with _running_model(scripted_answer) as server:
        world.instead |= dict.fromkeys(ROOMS, twice)
        assert world.settled(world.capture())["status"] == "READY"
        assert [room for room, _ in world.invoked] == list(ROOMS)
        return len(server.requests)


def twice(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
    handler(dict(event))
    return handler(event)


@contextmanager
def _running_model(behaviour: Any) -> Iterator[Server]:
    with model_server(behaviour) as server:
        environment = {"ENGINE": "openai", "MODEL_NAME": "served-model", "MODEL_BASE_URL": server.url}
        os.environ.update(environment)  # the world restores the environment
        settings._stored_key.cache_clear()
        yield server
