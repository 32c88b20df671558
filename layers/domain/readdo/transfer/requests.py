"""Request models of imports and restores."""

from typing import Annotated

from pydantic import Field

from readdo.web.request_body import Body, Language, Line, Profile, Whole


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
