"""The engine that the settings name."""

from dataclasses import replace
from typing import Any

from readdo.engine import extractive, settings
from readdo.engine.metered_call import MeteredCalls
from readdo.engine.model import ModelEngine
from readdo.engine.providers.provider_protocol import Provider
from readdo.engine.settings import BEDROCK, EXTRACTIVE, EngineSettings
from readdo.lifecycle.write import Table


class Extractive:
    """The module in the model's clothes."""

    VERSION, model_id = extractive.VERSION, ""

    def __init__(self) -> None:
        self.meta: dict[str, Any] = {}

    def summarize(self, **asked: Any) -> dict[str, Any]:
        return extractive.summarize(**asked)

    def score(self, **asked: Any) -> dict[str, Any]:
        return extractive.score(**asked)

    def todos(self, **asked: Any) -> dict[str, Any]:
        return extractive.todos(**asked)

    def card(self, **asked: Any) -> dict[str, Any]:
        return extractive.card(**asked)


Engine = Extractive | ModelEngine


def for_owner(table: Table, owner: str) -> Engine:
    """As the settings say; what a model is asked is counted for this owner."""
    chosen = settings.read()
    return _made(chosen, MeteredCalls(table, owner, chosen.daily_tokens))


def engine(name: str) -> Engine:
    """By name, and without anybody who counts: for evals, which a person runs by hand."""
    return _made(replace(settings.read(), engine=name), None)


def _made(chosen: EngineSettings, care: MeteredCalls | None) -> Engine:
    if chosen.engine == EXTRACTIVE:
        return Extractive()
    return ModelEngine(_provider(chosen), chosen.model, chosen.prices, care)


def _provider(chosen: EngineSettings) -> Provider:
    # Imported where they are used: a room that asks no model does not pay for its client.
    if chosen.engine == BEDROCK:
        from readdo.engine.providers.bedrock import Bedrock  # noqa: PLC0415  # as above

        return Bedrock(chosen.model)
    from readdo.engine.providers.openai_server import ModelSettings, OpenAIServer  # noqa: PLC0415  # as above

    return OpenAIServer(ModelSettings(chosen.model, chosen.base_url, chosen.api, chosen.key))
