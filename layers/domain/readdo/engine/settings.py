"""Which engine reads, and what it needs: the settings of the four rooms that may ask a model."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from botocore.exceptions import BotoCoreError, ClientError

from readdo.errors import StepFailed
from readdo.messages import message
from readdo.runtime import client, setting

EXTRACTIVE, OPENAI, BEDROCK = "extractive", "openai", "bedrock"
ENGINES = (EXTRACTIVE, OPENAI, BEDROCK)
NO_KEY = "none"  # some servers want one that is not empty, whatever it says


@dataclass(frozen=True)
class EngineSettings:
    engine: str
    model: str
    base_url: str
    api: Literal["chat", "responses"]
    key: Callable[[], str]
    daily_tokens: int
    prices: tuple[float, float] = (0.0, 0.0)  # of a million tokens sent, and received; 0: nobody has said


def read() -> EngineSettings:
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
        prices=(float(setting("PRICE_IN", "0")), float(setting("PRICE_OUT", "0"))),
    )


def _key() -> str:
    """From where it is kept encrypted, once a process; a new key is taken up within the life of one, some hours."""
    return _kept(setting("MODEL_KEY_PARAMETER", ""), setting("MODEL_SECRET_ARN", ""))


@cache
def _kept(parameter: str, secret: str) -> str:
    try:
        if parameter:
            found = client("ssm").get_parameter(Name=parameter, WithDecryption=True)
            return str(found["Parameter"]["Value"]).strip()
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
    """What AWS refuses stays refused: no such key, no right to it. What it was too busy for, or never heard, passes."""
    if not isinstance(error, ClientError):
        return isinstance(error, BotoCoreError)
    broken = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500
    return broken or "Throttling" in error.response["Error"]["Code"]
