"""A model is asked once for each step, however often the step is delivered."""

from bench.model_calls import calls
from bench.usage import STEPS_WITH_MODEL
from support.world import World


def test_an_item_whose_every_step_comes_twice_asks_the_model_once_a_step(made: World) -> None:
    assert calls(made) == len(STEPS_WITH_MODEL) == 4
