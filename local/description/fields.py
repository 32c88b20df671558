"""Building blocks of response models: field types, required and optional fields."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from readdo.web.request_body import KEY_PATTERN

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
    """Rejects unknown fields, so that the description is complete."""

    model_config = ConfigDict(extra="forbid")


def required(words: str, **schema: Any) -> Any:
    return Field(description=words, json_schema_extra=schema or None)


def optional(words: str, **schema: Any) -> Any:
    """A field that may be missing, but is never null."""
    return Field(default=None, description=words, json_schema_extra=schema or None)


MESSAGE_KEY = "Key of the message, for translation. Missing on old rows."
MESSAGE_PARAMS = (
    "Parameters of the message. A value is a text, a number, or a nested message with its key and parameters."
)


NEXT_CURSOR = "Cursor of the next page; null on the last page."
STATUS_WORDS = "Current status. See docs/lifecycles.md for the transitions."


class Explained(Answer):
    """A model with a message and its key."""

    message_key: str = optional(MESSAGE_KEY)
    params: dict[str, Any] = optional(MESSAGE_PARAMS)


def one_of(values: Iterable[str]) -> dict[str, Any]:
    return {"enum": list(values)}


def component(name: str) -> Any:
    """A reference to a schema that is not a model here. `components.py` resolves it."""
    return WithJsonSchema({"x-component": name})


def text_schema(pattern: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "pattern": pattern, **more}


def query_parameter(name: str, words: str, schema: dict[str, Any], example: Any = None) -> dict[str, Any]:
    parameter = {"name": name, "in": "query", "required": False, "description": words, "schema": schema}
    return parameter | ({"example": example} if example is not None else {})


def many_parameter(name: str, words: str, values: tuple[str, ...]) -> dict[str, Any]:
    """A parameter that can be repeated. The API also accepts values with commas between them."""
    schema = {"type": "array", "items": {"enum": list(values)}}
    return {**query_parameter(name, words, schema), "style": "form", "explode": True, "example": [values[-1]]}
