"""What a caller may send. Every string and list has a limit and says so in its own words."""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from readdo.web.errors import invalid

CONTENT_MAX = 400_000
KEY_MAX = 128
FIELDS_TOLD = 20  # of what is wrong at once: the answer is for a person
KEY_PATTERN = re.compile(r"(?!\.+$)[A-Za-z0-9._~:@=+-]{1,128}")  # not dots alone: a link would lose them

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
Profile = Literal["engineer", "creator", "manager"]
SourceType = Literal["web", "youtube", "newsletter", "other"]
_NEEDS = "Give `url` (the page) or `content` (its text), or both."


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _encodable(cls, value: Any) -> Any:
        if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
            raise ValueError("holds half of a character (a lone surrogate); send whole UTF-8 text")
        return value


class Capture(Body):
    intent_text: Annotated[str, Field(min_length=3, max_length=800)]
    url: Annotated[str, Field(max_length=2000)] = ""
    content: Annotated[str, Field(max_length=CONTENT_MAX)] = ""
    title: Annotated[str, Field(max_length=300)] = ""
    domain: Annotated[str, Field(max_length=200)] = ""
    source_type: SourceType = "web"
    capture_id: UUID | None = None
    profile: Profile = "engineer"
    language: Annotated[str, Field(max_length=20, pattern=r"^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$")] = ""
    process: bool = True

    @field_validator("intent_text", "url", "title", "domain", "language", mode="before")
    @classmethod
    def _one_line(cls, value: Any) -> Any:
        """As a person sees it: control characters are not text, and a line break is a blank."""
        return " ".join(_CONTROL.sub(" ", value).split()) if isinstance(value, str) else value

    @field_validator("content")
    @classmethod
    def _blank_is_none(cls, value: str) -> str:
        return value if value.strip() else ""

    @field_validator("url")
    @classmethod
    def _is_a_link(cls, value: str) -> str:
        if value and not re.match(r"https?://[^\s/?#]+", value, re.IGNORECASE):
            raise ValueError("must be a web address that starts with http:// or https://")
        try:
            parts = urlsplit(value)
        except ValueError:
            raise ValueError("must be a web address; its host cannot be read") from None
        if parts.username is not None or parts.password is not None:
            raise ValueError("must not carry a user name or password: it would be shown with the card")
        return value

    @model_validator(mode="after")
    def _has_a_source(self) -> "Capture":
        if not self.url and not self.content:
            raise ValueError(_NEEDS)
        return self


class Options(Body):
    template_profile: Profile | None = None


class Process(Body):
    mode: Literal["PROCESS", "RETRY", "REGENERATE"] = "PROCESS"
    process_request_id: Annotated[str, Field(max_length=KEY_MAX)] = ""
    options: Options = Options()


class ExportOptions(Body):
    theme: Literal["LIGHT", "DARK"] = "LIGHT"
    layout: Literal["CARD_4x5_V1", "CARD_1x1_V1"] = "CARD_4x5_V1"


class Export(Body):
    export_key: Annotated[str, Field(max_length=KEY_MAX)] = ""
    formats: Annotated[list[Literal["png", "md", "caption", "json"]], Field(min_length=1, max_length=6)] = [
        "png",
        "md",
        "caption",
    ]
    card_version: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    options: ExportOptions = ExportOptions()


class Archive(Body):
    reason: Literal["USER_ARCHIVE", "FAILURE_ARCHIVE"] | None = None


class Unarchive(Body):
    regenerate: bool = False


class Empty(Body):
    pass


Model = TypeVar("Model", bound=Body)


def parse(model: type[Model], text: str | None) -> Model:
    """The body as the model, or a 400 that names each field that is wrong."""
    try:
        given = json.loads(text) if text and text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise invalid("The body is not JSON. Send an object, UTF-8, as application/json.") from error
    if not isinstance(given, Mapping):
        raise invalid("The body must be a JSON object.")
    try:
        return model.model_validate(given)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:FIELDS_TOLD]
        fields = {_field(e["loc"]): _words(e) for e in found}
        listed = "; ".join(f"{name} {words}" if name else words for name, words in fields.items())
        raise invalid(listed[:600], fields) from error


def _field(place: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in place)[:80]


_WORDS = {
    "missing": "is required",
    "extra_forbidden": "is not known here",
    "string_too_short": "is too short: at least {min_length} characters are needed",
    "string_too_long": "is too long: at most {max_length:,} characters are allowed",
    "too_short": "must name at least one",
    "too_long": "names too many: at most {max_length} are allowed",
    "uuid_parsing": "must be a UUID, such as 0b8f2c1e-6f0d-4c3a-9d57-5b1f7f4f2a10",
    "value_error": "{error}",
    "literal_error": "must be {expected}",
}


def _words(error: Mapping[str, Any]) -> str:
    words = _WORDS.get(error["type"])
    if words:
        return words.format(**error.get("ctx", {}))
    return f"is not right: {error['msg'][0].lower()}{error['msg'][1:]}"
