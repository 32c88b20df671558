"""The engines that can be judged: anything with the four steps and a VERSION."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

from . import lead3
from .runner_errors import Told

NAMES = ("extractive", "lead3", "openai", "bedrock")
PROFILES = ("engineer", "creator", "manager")


class Steps(Protocol):
    VERSION: str

    def summarize(self, *, intent: str, text: str, title: str, profile: str, language: str) -> dict[str, Any]: ...
    def score(
        self, *, intent: str, text: str, summary: Mapping[str, Any], title: str, language: str
    ) -> dict[str, Any]: ...
    def todos(
        self,
        *,
        intent: str,
        summary: Mapping[str, Any],
        score: Mapping[str, Any],
        title: str,
        profile: str,
        language: str,
    ) -> dict[str, Any]: ...
    def card(
        self,
        *,
        intent: str,
        summary: Mapping[str, Any],
        score: Mapping[str, Any],
        todos: Mapping[str, Any],
        title: str,
        language: str,
    ) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Engine:
    name: str
    profile: str
    steps: Steps

    def versions(self) -> dict[str, str]:
        return {
            "engine": self.steps.VERSION,
            "model": str(getattr(self.steps, "model_id", "") or "none"),
            "templates": f"summary.{self.profile}.v1 score.v1 todos.v1 card.v1",
        }


def engine(name: str, profile: str) -> Engine:
    if name == "extractive":
        from readdo.engine import extractive  # noqa: PLC0415 - only what is judged is loaded

        return Engine(name, profile, cast(Steps, extractive))
    if name == "lead3":
        return Engine(name, profile, cast(Steps, lead3))
    return Engine(name, profile, _with_model(name))


def _with_model(name: str) -> Steps:
    try:
        steps = cast(Steps, _chosen(name))
    except ImportError as missing:
        raise Told(f"The engine {name} is not part of this copy of the product: {missing}.") from missing
    except Exception as odd:  # whatever it is, the person at the keyboard needs its words and not its stack
        raise Told(f"The engine {name} is not configured: {getattr(odd, 'message', odd)}") from odd
    if not getattr(steps, "model_id", ""):
        raise Told(f"The engine {name} is not configured: no model is named (MODEL_NAME).")
    return steps


def _chosen(name: str) -> Any:
    chosen = import_module("readdo.engine.engine_factory")
    return chosen.engine(name)
