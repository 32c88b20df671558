"""What a caller may send. Every string and list has a limit."""

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from readdo.net import target

CONTENT_MAX = 400_000
KEY_MAX = 128
KEY_PATTERN = re.compile(r"(?!\.+$)[A-Za-z0-9._~:@=+-]{1,128}")  # not dots alone: a link would lose them

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
Profile = Literal["engineer", "creator", "manager"]
Scope = Literal["read", "write", "tokens"]
Event = Literal[
    "CAPTURED",
    "QUEUED",
    "PROCESSING",
    "READY",
    "FAILED_EXTRACTION",
    "FAILED_AI",
    "FAILED_EXPORT",
    "SHIPPED",
    "ARCHIVED",
    "DELETED",
    "FAILED_*",
    "*",
]
SourceType = Literal["web", "youtube", "newsletter", "other"]
_NEEDS = "Give `url` (the page) or `content` (its text), or both."


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _encodable(cls, value: Any) -> Any:
        texts = value if isinstance(value, list) else [value]
        if any("\ud800" <= c <= "\udfff" for text in texts if isinstance(text, str) for c in text):
            raise ValueError("holds half of a character (a lone surrogate); send whole UTF-8 text")
        return value


def _one_line(value: Any) -> Any:
    """As a person sees it: control characters are not text, and a line break is a blank."""
    return " ".join(_CONTROL.sub(" ", value).split()) if isinstance(value, str) else value


def _blank_is_none(value: str) -> str:
    return value if value.strip() else ""


def _whole(value: Any) -> Any:
    """7.0 is a whole number in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = BeforeValidator(_whole)
Line = BeforeValidator(_one_line)
# The limits come first: they are of the line as it is kept.
Intent = Annotated[str, Field(min_length=3, max_length=800, description="Why it is saved, in one line."), Line]
Title = Annotated[str, Field(max_length=300, description="The page's own, where there is one, if none is given."), Line]
Language = Annotated[
    str,
    Field(
        max_length=20,
        pattern=r"^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$",
        description="Of what is written about it, such as en or zh-CN; the intent's, if none is given.",
    ),
    Line,
]
Tag = Annotated[str, Field(min_length=1, max_length=80), Line]
Tags = Annotated[
    list[Tag],
    Field(max_length=50, description="Your own words for finding it again."),
    AfterValidator(lambda tags: list(dict.fromkeys(tags))),
]
Content = Annotated[
    str,
    Field(max_length=CONTENT_MAX, description="The text or HTML itself; it is read instead of the link."),
    AfterValidator(_blank_is_none),
]


class Capture(Body):
    intent_text: Intent
    url: Annotated[str, Field(max_length=2000, description="The page: http or https."), Line] = ""
    content: Content = ""
    title: Title = ""
    domain: Annotated[str, Field(max_length=200, description="Shown as the source; the link's host if none."), Line] = (
        ""
    )
    source_type: Annotated[SourceType, Field(description="The list can be filtered by it.")] = "web"
    capture_id: Annotated[
        UUID | None, Field(strict=False, description="Names the capture: the same id again is the same item.")
    ] = None
    profile: Annotated[Profile, Field(description="Whose questions the summary answers.")] = "engineer"
    language: Language = ""
    tags: Tags = []
    process: Annotated[bool, Field(description="false: it rests in CAPTURED until you say so.")] = True
    on_duplicate: Annotated[
        Literal["join", "new"], Field(description="What becomes of a page that you have saved already.")
    ] = "join"

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


class Patch(Body):
    """What is not named stays as it is; an empty text takes away. It counts from the next run on."""

    intent_text: Intent = ""
    title: Title = ""
    language: Language = ""
    profile: Annotated[Profile, Field(description="Whose questions the summary answers.")] = "engineer"
    tags: Tags = []
    content: Content = ""

    @model_validator(mode="after")
    def _changes_something(self) -> "Patch":
        if not self.model_fields_set:
            raise ValueError(f"Name at least one of {', '.join(type(self).model_fields)}.")
        return self


class Options(Body):
    template_profile: Annotated[Profile | None, Field(description="Another profile, from this run on.")] = None


class Process(Body):
    mode: Annotated[
        Literal["PROCESS", "RETRY", "REGENERATE"],
        Field(description="PROCESS what is CAPTURED or FAILED_*, RETRY FAILED_*, REGENERATE READY or ARCHIVED."),
    ] = "PROCESS"
    process_request_id: Annotated[str, Field(max_length=KEY_MAX, description="The same id again queues once.")] = ""
    options: Annotated[Options, Field(description="What this run does otherwise.")] = Options()


Format = Literal["png", "md", "caption", "html", "json", "pdf"]
Theme = Literal["LIGHT", "DARK"]
Layout = Literal["CARD_4x5_V1", "CARD_1x1_V1"]


class ExportOptions(Body):
    theme: Annotated[Theme, Field(description="The picture's colours.")] = "LIGHT"
    layout: Annotated[Layout, Field(description="The picture, tall or square.")] = "CARD_4x5_V1"


class Export(Body):
    export_key: Annotated[
        str, Field(max_length=KEY_MAX, description="Names the set of files: the same key again is the same files.")
    ] = ""
    formats: Annotated[
        list[Format], Field(min_length=1, max_length=6, description="Which files to make; named twice is made once.")
    ] = ["png", "md", "caption"]
    card_version: Annotated[
        Annotated[int, Field(ge=1, le=1_000_000), Whole] | None,
        Field(description="An older card that was READY once; the one that is shown, if none is named."),
    ] = None
    options: Annotated[ExportOptions, Field(description="How the picture is drawn.")] = ExportOptions()


class Archive(Body):
    reason: Annotated[
        Literal["USER_ARCHIVE", "FAILURE_ARCHIVE"] | None,
        Field(description="If none is given it follows from the item's state."),
    ] = None


class Unarchive(Body):
    regenerate: Annotated[bool, Field(description="true: it is read anew, even if there is a whole set.")] = False


class Empty(Body):
    pass


class Batch(Body):
    ids: Annotated[list[str], Field(min_length=1, max_length=100, description="Items; named twice is done once.")]
    action: Annotated[
        Literal["archive", "unarchive", "delete", "process", "export"],
        Field(description="What to do with each, as its own call does it with nothing in its body."),
    ]

    @field_validator("ids")
    @classmethod
    def _may_be_ids(cls, value: list[str]) -> list[str]:
        if any(len(given) > KEY_MAX for given in value):  # each is told again in the answer
            raise ValueError(f"must be ids of items: none has more than {KEY_MAX} characters")
        return value


def _receiver(value: str) -> str:
    if wrong := target.problem(value, loopback=target.loopback_allowed()):
        raise ValueError(wrong)
    return value


Receiver = Annotated[
    str,
    Field(max_length=target.URL_MAX, description="Who is told: https, on the public web."),
    AfterValidator(_receiver),
]
Events = Annotated[
    list[Event],
    Field(
        min_length=1,
        max_length=12,
        description="States of items whose reaching is told; DELETED; `FAILED_*` for all three; `*` for everything.",
    ),
]


class NewWebhook(Body):
    url: Receiver
    events: Events = ["*"]


class WebhookPatch(Body):
    """What is not named stays as it is."""

    url: Receiver = ""
    events: Events = ["*"]
    paused: Annotated[bool, Field(description="true: nothing is told; false: told again, from then on.")] = False

    @model_validator(mode="after")
    def _changes_something(self) -> "WebhookPatch":
        if not self.model_fields_set:
            raise ValueError(f"Name at least one of {', '.join(type(self).model_fields)}.")
        return self


class Import(Body):
    filename: Annotated[
        str,
        Field(min_length=1, max_length=200, description="As you will know it; it does not say what is in it."),
        Line,
    ]
    size: Annotated[int, Field(ge=1, description="In bytes, exactly; at most 100 MB."), Whole]
    sha256: Annotated[
        str, Field(pattern="^([0-9a-f]{64})?$", description="Of the file, if you want the upload to be checked by it.")
    ] = ""
    process: Annotated[bool, Field(description="false: its items rest in CAPTURED until you say so.")] = True
    intent_text: Annotated[
        str,
        Field(max_length=800, pattern=r"^(.{3,})?$", description="For lines without a note; a usual one, if none."),
        Line,
    ] = ""
    profile: Annotated[Profile, Field(description="Whose questions the summaries answer.")] = "engineer"
    language: Language = ""


class Restore(Body):
    size: Annotated[int, Field(ge=1, le=5_000_000_000, description="The file's bytes."), Whole]
    sha256: Annotated[
        str, Field(pattern="^[0-9a-f]{64}$", description="The file's SHA-256, as hexadecimal digits in small letters.")
    ]


class NewToken(Body):
    name: Annotated[str, Field(min_length=1, max_length=80, description="What it is for, as you will know it."), Line]
    scopes: Annotated[
        list[Scope],
        Field(min_length=1, max_length=3, description="read: every GET; write: all else; tokens: these three calls."),
    ] = ["read", "write"]
    days: Annotated[int, Field(ge=1, le=3650, description="How long it lives."), Whole] = 365
