"""How a field of an answer is said: what it means, its form, and whether it may be missing."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from readdo.web.requests import KEY_PATTERN

ID = r"^[0-9A-HJKMNP-TV-Z]{26}$"
KEY = f"^{KEY_PATTERN.pattern}$"
UUID = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
STAMP = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"
TAG = r'^(W/)?"[^"]*"$'

Id = Annotated[str, Field(pattern=ID)]
Uuid = Annotated[str, WithJsonSchema({"type": "string", "format": "uuid", "pattern": UUID})]
Time = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time", "pattern": STAMP})]
Count = Annotated[int, Field(ge=0)]
Version = Annotated[int, Field(ge=1)]
Score = Annotated[float, Field(ge=0, le=100)]


class Answer(BaseModel):
    """An unknown field makes an answer wrong, so that the description can be."""

    model_config = ConfigDict(extra="forbid")


def told(words: str, **schema: Any) -> Any:
    return Field(description=words, json_schema_extra=schema or None)


def maybe(words: str, **schema: Any) -> Any:
    """It may be missing, and is never null."""
    return Field(default=None, description=words, json_schema_extra=schema or None)


MESSAGE_KEY = "The message's key, for a program that shows it in another language; missing on old rows."
MESSAGE_PARAMS = "What the message names. A value is text, a number, or another message by its key and parameters."


class Explained(Answer):
    """An answer with a message that has a key."""

    message_key: str = maybe(MESSAGE_KEY)
    params: dict[str, Any] = maybe(MESSAGE_PARAMS)


def one_of(values: Iterable[str]) -> dict[str, Any]:
    return {"enum": list(values)}


def component(name: str) -> Any:
    """For a schema that is no model of ours; its place is found when the components are put together."""
    return WithJsonSchema({"x-component": name})
