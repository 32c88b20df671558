"""Request bodies: decoding, base models, and errors that name each invalid field.

Every string and list of a model has a limit.
"""

import base64
import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, ValidationError, field_validator

from readdo.web.errors import ApiError, invalid

FIELDS_MAX = 20  # in one error
PAYLOAD_MAX = 100_000  # characters; twice the largest artifact that a schema allows

Model = TypeVar("Model", bound=BaseModel)
_WORDS = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "string_too_short": "is too short: at least {min_length} characters are needed",
    "string_too_long": "is too long: at most {max_length:,} characters are allowed",
    "too_short": "must have at least one entry",
    "too_long": "has too many entries: at most {max_length} are allowed",
    "uuid_parsing": "must be a UUID, such as 0b8f2c1e-6f0d-4c3a-9d57-5b1f7f4f2a10",
    "value_error": "{error}",
    "literal_error": "must be {expected}",
}
_SENTENCES = ("payload_no_json", "payload_deep", "payload_large", "payload_form")
BODY_MAX = 5_000_000
KEY_MAX = 128
KEY_PATTERN = re.compile(r"(?!\.+$)[A-Za-z0-9._~:@=+-]{1,128}")  # not only dots: a URL path drops them
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
Profile = Literal["engineer", "creator", "manager"]


def parse_value(text: str | None) -> Any:
    """Any JSON value. An empty body is an empty object."""
    try:
        return json.loads(text, parse_constant=_reject_constant) if text and text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise invalid("The body is not valid JSON. Send a JSON object in UTF-8.") from error


def parse_object(text: str | None) -> dict[str, Any]:
    body = parse_value(text)
    if not isinstance(body, dict):
        raise invalid("The body must be a JSON object.")
    return body


def _reject_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def parse_payload(text: str | None) -> dict[str, Any]:
    """Parse an artifact. Its schema is checked later; the limits here keep that check short."""
    if text and len(text) > PAYLOAD_MAX:
        words = f"The body is larger than {PAYLOAD_MAX:,} characters. Send only the payload of the artifact."
        raise ApiError(413, "TOO_LARGE", words)
    payload = parse_object(text)
    try:
        json.dumps(payload, ensure_ascii=False).encode()
    except (UnicodeError, RecursionError) as error:
        raise invalid("The body contains a lone surrogate. Send valid UTF-8 text.") from error
    return payload


def parse(model: type[Model], text: str | None) -> Model:
    return validate(model, parse_object(text))


def validate(model: type[Model], body: Mapping[str, Any]) -> Model:
    try:
        return model.model_validate(_limit_unknown_fields(model, body))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)[:FIELDS_MAX]
        fields = {_field(problem["loc"]): _words(problem) for problem in problems}
        listed = "; ".join(f"{name} {words}" if name else words for name, words in fields.items())
        raise invalid(listed[:600], fields) from error


def _limit_unknown_fields(model: type[Model], body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keep the first unknown fields. pydantic reports each one: 250,000 of them would take 200 MB."""
    unknown = [name for name in body if name not in model.model_fields]
    surplus = set(unknown[FIELDS_MAX:])
    return {name: value for name, value in body.items() if name not in surplus} if surplus else body


def _field(place: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in place)[:80]


def _words(error: Mapping[str, Any]) -> str:
    if error["type"] in _SENTENCES:
        return str(error["msg"])
    words = _WORDS.get(error["type"])
    if words:
        return words.format(**error.get("ctx", {}))
    return f"is not valid: {error['msg'][0].lower()}{error['msg'][1:]}"


def text_of(event: Mapping[str, Any]) -> str:
    try:
        return bytes_of(event).decode("utf-8-sig")  # drops a byte order mark
    except ValueError as error:  # invalid base64 or UTF-8
        raise invalid("The body is not valid UTF-8. Send JSON in UTF-8.") from error


def bytes_of(event: Mapping[str, Any]) -> bytes:
    body: str = event.get("body") or ""
    if len(body) > BODY_MAX * 4 // 3 + 4:
        raise _too_large()
    raw = base64.b64decode(body, validate=True) if event.get("isBase64Encoded") else body.encode()
    if len(raw) > BODY_MAX:
        raise _too_large()
    return raw


def _too_large() -> ApiError:
    return ApiError(413, "TOO_LARGE", f"The body is larger than {BODY_MAX // 1_000_000} MB. Send less text.")


class Body(BaseModel):
    # Built at the first use: a new process serves one kind of request first, and starts faster.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)

    @field_validator("*", mode="before")
    @classmethod
    def _check_encoding(cls, value: Any) -> Any:
        texts = value if isinstance(value, list) else [value]
        if any("\ud800" <= c <= "\udfff" for text in texts if isinstance(text, str) for c in text):
            raise ValueError("contains a lone surrogate; send valid UTF-8 text")
        return value


def _one_line(value: Any) -> Any:
    """Replace control characters and line breaks by single spaces."""
    return " ".join(_CONTROL.sub(" ", value).split()) if isinstance(value, str) else value


def _whole(value: Any) -> Any:
    """Accept 7.0, which JSON does not distinguish from 7."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = BeforeValidator(_whole)
Line = BeforeValidator(_one_line)
# The limits come first: pydantic applies them after `Line`.
Intent = Annotated[str, Field(min_length=3, max_length=800, description="Why you save it, in one line."), Line]
Title = Annotated[str, Field(max_length=300, description="The title; the page's own if empty."), Line]
Language = Annotated[
    str,
    Field(
        max_length=20,
        pattern=r"^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$",
        description="Language of the results, such as en or zh-CN; that of the intent if empty.",
    ),
    Line,
]


class Empty(Body):
    pass


class AnyJson(RootModel[Any]):
    """A body that has a check of its own, and a schema for the API's description."""

    model_config = ConfigDict(defer_build=True)
