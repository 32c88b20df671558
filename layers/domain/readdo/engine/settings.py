"""Engine settings of the four functions that may call a model."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal, cast

from botocore.exceptions import BotoCoreError, ClientError

from readdo.errors import StepFailed
from readdo.messages import message
from readdo.runtime import client, setting

EXTRACTIVE, OPENAI, BEDROCK = "extractive", "openai", "bedrock"
ENGINES = (EXTRACTIVE, OPENAI, BEDROCK)
NO_KEY = "none"  # some servers require any non-empty key


@dataclass(frozen=True)
class EngineSettings:
    engine: str
    model: str
    base_url: str
    api: Literal["chat", "responses"]
    key: Callable[[], str]
    daily_tokens: int
    prices: tuple[float, float] = (0.0, 0.0)  # per million tokens sent and received; 0: unknown


def read_settings() -> EngineSettings:
    engine = setting("ENGINE", EXTRACTIVE)
    if engine not in ENGINES:
        unknown = message("provider.unknown_engine", engine=engine, engines=", ".join(ENGINES))
        raise StepFailed("AI_PROVIDER_ERROR", unknown)
    return EngineSettings(
        engine=engine,
        model=setting("MODEL_NAME", ""),
        base_url=setting("MODEL_BASE_URL", ""),
        api=cast(Literal["chat", "responses"], setting("MODEL_API", "chat")),
        key=_key,
        daily_tokens=int(setting("DAILY_TOKENS", "0")),
        prices=prices(),
    )


def configured_model() -> str:
    """The name of the model of this installation. Empty without one."""
    return setting("MODEL_NAME", "") if setting("ENGINE", EXTRACTIVE) != EXTRACTIVE else ""


def cost_of(tokens_in: int, tokens_out: int, prices: tuple[float, float]) -> Decimal:
    million = Decimal(1_000_000)
    return (tokens_in * Decimal(str(prices[0])) + tokens_out * Decimal(str(prices[1]))) / million


def prices() -> tuple[float, float]:
    """Per million tokens sent and received. 0: unknown."""
    return float(setting("PRICE_IN", "0")), float(setting("PRICE_OUT", "0"))


def _key() -> str:
    """Read the key once per process. A new key takes effect when the process ends, after some hours."""
    return _stored_key(setting("MODEL_KEY_PARAMETER", ""), setting("MODEL_SECRET_ARN", ""))


@cache
def _stored_key(parameter: str, secret: str) -> str:
    try:
        if parameter:
            response = client("ssm").get_parameter(Name=parameter, WithDecryption=True)
            return str(response["Parameter"]["Value"]).strip()
        if secret:
            return str(client("secretsmanager").get_secret_value(SecretId=secret)["SecretString"]).strip()
    except Exception as error:
        transient = _is_transient(error)
        todo = message("provider.retried_automatically" if transient else "provider.store_key")
        unreadable = message("provider.key_unreadable", place=parameter or "Secrets Manager", todo=todo)
        debug = type(error).__name__
        raise StepFailed("AI_PROVIDER_ERROR", unreadable, retryable=transient, debug=debug) from error
    return NO_KEY


def _is_transient(error: Exception) -> bool:
    """Network errors, throttling and server errors pass. A missing key or right does not."""
    if not isinstance(error, ClientError):
        return isinstance(error, BotoCoreError)
    broken = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500
    return broken or "Throttling" in error.response["Error"]["Code"]
