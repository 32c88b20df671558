"""Engines for the evals: anything with the four steps and a VERSION."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

from . import lead3
from .runner_errors import RunnerError

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
        from readdo.engine import extractive  # noqa: PLC0415 - load only the selected engine

        return Engine(name, profile, cast(Steps, extractive))
    if name == "lead3":
        return Engine(name, profile, cast(Steps, lead3))
    return Engine(name, profile, _with_model(name))


def _with_model(name: str) -> Steps:
    try:
        steps = cast(Steps, _import_engine(name))
    except ImportError as error:
        raise RunnerError(f"The engine {name} is not part of this copy of the product: {error}.") from error
    except Exception as error:  # the user needs the message, not the traceback
        raise RunnerError(f"The engine {name} is not configured: {getattr(error, 'message', error)}") from error
    if not getattr(steps, "model_id", ""):
        raise RunnerError(f"The engine {name} is not configured: MODEL_NAME is not set.")
    return steps


def _import_engine(name: str) -> Any:
    factory = import_module("readdo.engine.engine_factory")
    return factory.engine(name)
