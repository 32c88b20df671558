"""How often a model is asked for one item when every step of it is delivered twice."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from scripted_model import good

from bench.figure import Figure, Figures, Say
from bench.usage import STEPS_WITH_MODEL
from readdo.engine import settings
from support.model_server import Server, model_server
from support.moto import moto_world
from support.world import World

ROOMS = ("lease", "extract", *STEPS_WITH_MODEL, "gate")


def figures(say: Say) -> Figures:
    say("an item whose every step comes twice")
    with moto_world() as made:
        yield Figure("model calls, all delivered twice", calls(made), "", len(STEPS_WITH_MODEL), 1, equal=True)


def calls(made: World) -> int:
    """Of an item that became READY all the same."""
    with _asked(good) as server:
        made.instead |= dict.fromkeys(ROOMS, twice)
        assert made.settled(made.capture())["status"] == "READY"
        assert [room for room, _ in made.invoked] == list(ROOMS)
        return len(server.requests)


def twice(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
    handler(dict(event))
    return handler(event)


@contextmanager
def _asked(behaviour: Any) -> Iterator[Server]:
    with model_server(behaviour) as server:
        told = {"ENGINE": "openai", "MODEL_NAME": "served-model", "MODEL_BASE_URL": server.url}
        os.environ.update(told)  # the world takes them back
        settings._kept.cache_clear()
        yield server
