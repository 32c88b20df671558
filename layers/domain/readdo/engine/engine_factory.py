"""Create the engine that the settings select."""

from dataclasses import replace
from typing import Any

from readdo.engine import extractive, settings
from readdo.engine.metered_call import MeteredCalls
from readdo.engine.model import ModelEngine
from readdo.engine.providers.provider_protocol import Provider
from readdo.engine.settings import BEDROCK, EXTRACTIVE, EngineSettings
from readdo.lifecycle.write import Table


class Extractive:
    """The extractive engine with the interface of ModelEngine."""

    VERSION, model_id = extractive.VERSION, ""

    def __init__(self) -> None:
        self.meta: dict[str, Any] = {}

    def summarize(self, **inputs: Any) -> dict[str, Any]:
        return extractive.summarize(**inputs)

    def score(self, **inputs: Any) -> dict[str, Any]:
        return extractive.score(**inputs)

    def todos(self, **inputs: Any) -> dict[str, Any]:
        return extractive.todos(**inputs)

    def card(self, **inputs: Any) -> dict[str, Any]:
        return extractive.card(**inputs)


Engine = Extractive | ModelEngine


def for_owner(table: Table, owner: str) -> Engine:
    """The configured engine. Model calls count against the budget of this owner."""
    config = settings.read_settings()
    return _create(config, MeteredCalls(table, owner, config.daily_tokens))


def engine(name: str) -> Engine:
    """An engine by name, without budget and breaker, for evals that are started by hand."""
    return _create(replace(settings.read_settings(), engine=name), None)


def _create(config: EngineSettings, care: MeteredCalls | None) -> Engine:
    if config.engine == EXTRACTIVE:
        return Extractive()
    return ModelEngine(_provider(config), config.model, config.prices, care)


def _provider(config: EngineSettings) -> Provider:
    # Imported here, so that a function which calls no model does not load the client.
    if config.engine == BEDROCK:
        from readdo.engine.providers.bedrock import Bedrock  # noqa: PLC0415  # as above

        return Bedrock(config.model)
    from readdo.engine.providers.openai_server import ModelSettings, OpenAIServer  # noqa: PLC0415  # as above

    return OpenAIServer(ModelSettings(config.model, config.base_url, config.api, config.key))
