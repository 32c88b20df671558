"""Each step calls the model once, even if the step is delivered twice."""

from bench.model_calls import calls
from bench.usage import STEPS_WITH_MODEL
from support.world import World


def test_steps_delivered_twice_call_the_model_once_per_step(fresh: World) -> None:
    assert calls(fresh) == len(STEPS_WITH_MODEL) == 4
