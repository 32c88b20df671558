"""Fields of request models that several desks use. Every string and list has a limit."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, field_validator

KEY_MAX = 128
KEY_PATTERN = re.compile(r"(?!\.+$)[A-Za-z0-9._~:@=+-]{1,128}")  # not only dots: a URL path drops them
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
Profile = Literal["engineer", "creator", "manager"]


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
