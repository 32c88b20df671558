"""Request models. Every string and list has a limit."""

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from readdo.net import target

CONTENT_MAX = 400_000
KEY_MAX = 128
KEY_PATTERN = re.compile(r"(?!\.+$)[A-Za-z0-9._~:@=+-]{1,128}")  # not only dots: a URL path drops them

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
_NEEDS = "Send `url` or `content`, or both."


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

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


def _blank_is_none(value: str) -> str:
    return value if value.strip() else ""


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
Tag = Annotated[str, Field(min_length=1, max_length=80), Line]
Tags = Annotated[
    list[Tag],
    Field(max_length=50, description="Your tags."),
    AfterValidator(lambda tags: list(dict.fromkeys(tags))),
]
Content = Annotated[
    str,
    Field(max_length=CONTENT_MAX, description="The text or HTML; it is used instead of the link."),
    AfterValidator(_blank_is_none),
]


class Capture(Body):
    intent_text: Intent
    url: Annotated[str, Field(max_length=2000, description="The URL of the page: http or https."), Line] = ""
    content: Content = ""
    title: Title = ""
    domain: Annotated[
        str, Field(max_length=200, description="Shown as the source; the host of the link if empty."), Line
    ] = ""
    source_type: Annotated[SourceType, Field(description="The kind of source, for filters.")] = "web"
    capture_id: Annotated[
        UUID | None, Field(strict=False, description="The id of the capture: the same id returns the same item.")
    ] = None
    profile: Annotated[Profile, Field(description="The reader that the summary is written for.")] = "engineer"
    language: Language = ""
    tags: Tags = []
    process: Annotated[bool, Field(description="false: the item stays CAPTURED until you process it.")] = True
    on_duplicate: Annotated[
        Literal["join", "new"],
        Field(description="For a page that you already saved: join its item, or create a new one."),
    ] = "join"

    @field_validator("url")
    @classmethod
    def _check_link(cls, value: str) -> str:
        if value and not re.match(r"https?://[^\s/?#]+", value, re.IGNORECASE):
            raise ValueError("must be a web address that begins with http:// or https://")
        try:
            parts = urlsplit(value)
        except ValueError:
            raise ValueError("must be a web address; its host is not valid") from None
        if parts.username is not None or parts.password is not None:
            raise ValueError("must not contain a user name or password: the card would show it")
        return value

    @model_validator(mode="after")
    def _check_source(self) -> "Capture":
        if not self.url and not self.content:
            raise ValueError(_NEEDS)
        return self


class Patch(Body):
    """Missing fields stay as they are; an empty text removes a value. Changes apply from the next run."""

    intent_text: Intent = ""
    title: Title = ""
    language: Language = ""
    profile: Annotated[Profile, Field(description="The reader that the summary is written for.")] = "engineer"
    tags: Tags = []
    content: Content = ""

    @model_validator(mode="after")
    def _check_not_empty(self) -> "Patch":
        if not self.model_fields_set:
            raise ValueError(f"Send at least one of {', '.join(type(self).model_fields)}.")
        return self


class Options(Body):
    template_profile: Annotated[Profile | None, Field(description="Another profile, from this run on.")] = None


class Process(Body):
    mode: Annotated[
        Literal["PROCESS", "RETRY", "REGENERATE"],
        Field(description="PROCESS for CAPTURED or FAILED_*, RETRY for FAILED_*, REGENERATE for READY or ARCHIVED."),
    ] = "PROCESS"
    process_request_id: Annotated[
        str, Field(max_length=KEY_MAX, description="The same id queues the item only once.")
    ] = ""
    options: Annotated[Options, Field(description="Options of this run.")] = Options()


Format = Literal["png", "md", "caption", "html", "json", "pdf"]
Theme = Literal["LIGHT", "DARK"]
Layout = Literal["CARD_4x5_V1", "CARD_1x1_V1"]


class ExportOptions(Body):
    theme: Annotated[Theme, Field(description="Theme of the picture.")] = "LIGHT"
    layout: Annotated[Layout, Field(description="Format of the picture: tall or square.")] = "CARD_4x5_V1"


class Export(Body):
    export_key: Annotated[
        str, Field(max_length=KEY_MAX, description="The key of the export: the same key returns the same files.")
    ] = ""
    formats: Annotated[
        list[Format], Field(min_length=1, max_length=6, description="Files to create. Duplicates are ignored.")
    ] = ["png", "md", "caption"]
    card_version: Annotated[
        Annotated[int, Field(ge=1, le=1_000_000), Whole] | None,
        Field(description="An earlier version of the card; the one that is shown if empty."),
    ] = None
    options: Annotated[ExportOptions, Field(description="Options of the picture.")] = ExportOptions()


class Archive(Body):
    reason: Annotated[
        Literal["USER_ARCHIVE", "FAILURE_ARCHIVE"] | None,
        Field(description="The reason; the state of the item decides if empty."),
    ] = None


class Unarchive(Body):
    regenerate: Annotated[bool, Field(description="true: process the item again, even if it has complete results.")] = (
        False
    )


class Empty(Body):
    pass


class Batch(Body):
    ids: Annotated[list[str], Field(min_length=1, max_length=100, description="Ids of items. Duplicates are ignored.")]
    action: Annotated[
        Literal["archive", "unarchive", "delete", "process", "export"],
        Field(description="The action for each item, with the defaults of its own call."),
    ]

    @field_validator("ids")
    @classmethod
    def _check_length_of_ids(cls, value: list[str]) -> list[str]:
        if any(len(item_id) > KEY_MAX for item_id in value):  # the response repeats each id
            raise ValueError(f"must be ids of items, of up to {KEY_MAX} characters")
        return value


def _check_receiver(value: str) -> str:
    if problem := target.find_problem(value, loopback=target.loopback_allowed()):
        raise ValueError(problem)
    return value


Receiver = Annotated[
    str,
    Field(max_length=target.URL_MAX, description="The receiver: an https URL on the public internet."),
    AfterValidator(_check_receiver),
]
Events = Annotated[
    list[Event],
    Field(
        min_length=1,
        max_length=12,
        description="States that trigger a delivery; DELETED; `FAILED_*` for all failures; `*` for everything.",
    ),
]


class NewWebhook(Body):
    url: Receiver
    events: Events = ["*"]


class WebhookPatch(Body):
    """Missing fields stay as they are."""

    url: Receiver = ""
    events: Events = ["*"]
    paused: Annotated[bool, Field(description="true: pause deliveries; false: resume them.")] = False

    @model_validator(mode="after")
    def _check_not_empty(self) -> "WebhookPatch":
        if not self.model_fields_set:
            raise ValueError(f"Send at least one of {', '.join(type(self).model_fields)}.")
        return self


class Import(Body):
    filename: Annotated[
        str,
        Field(min_length=1, max_length=200, description="The name of the file, for display."),
        Line,
    ]
    size: Annotated[int, Field(ge=1, description="The exact size in bytes; at most 100 MB."), Whole]
    sha256: Annotated[
        str, Field(pattern="^([0-9a-f]{64})?$", description="SHA-256 of the file, to check the upload.")
    ] = ""
    process: Annotated[bool, Field(description="false: its items stay CAPTURED until you process them.")] = True
    intent_text: Annotated[
        str,
        Field(
            max_length=800, pattern=r"^(.{3,})?$", description="Intent of lines without a note; a default one if empty."
        ),
        Line,
    ] = ""
    profile: Annotated[Profile, Field(description="The reader that the summaries are written for.")] = "engineer"
    language: Language = ""


class Restore(Body):
    size: Annotated[int, Field(ge=1, le=5_000_000_000, description="The size of the file in bytes."), Whole]
    sha256: Annotated[
        str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the file, in lowercase hexadecimal.")
    ]


class NewToken(Body):
    name: Annotated[str, Field(min_length=1, max_length=80, description="A name for the token."), Line]
    scopes: Annotated[
        list[Scope],
        Field(
            min_length=1,
            max_length=3,
            description="read: all GET calls; write: all other calls; tokens: the calls of tokens.",
        ),
    ] = ["read", "write"]
    days: Annotated[int, Field(ge=1, le=3650, description="Days until it expires."), Whole] = 365
