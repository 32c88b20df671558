"""Request models of the Read desk."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, Field, field_validator, model_validator

from readdo.web.request_body import KEY_MAX, Body, Intent, Language, Line, Profile, Title, Whole

CONTENT_MAX = 400_000
SourceType = Literal["web", "youtube", "newsletter", "other"]
_NEEDS = "Send `url` or `content`, or both."


def _blank_is_none(value: str) -> str:
    return value if value.strip() else ""


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
