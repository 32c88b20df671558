"""Response models of imports and their lines."""

from typing import Any, Literal

from pydantic import Field

from readdo.lifecycle.import_job import IMPORT
from readdo.transfer.import_formats.format_registry import KINDS
from readdo.transfer.imports.import_commands import UPLOAD_TYPE
from readdo.transfer.imports.results import RESULTS
from readdo.web.request_body import Profile

from .fields import (
    MESSAGE_KEY,
    MESSAGE_PARAMS,
    STATUS_WORDS,
    Answer,
    Count,
    Explained,
    Id,
    Time,
    Version,
    one_of,
    optional,
    required,
)
from .items import Reference


class ImportCounts(Answer):
    """Lines of an import by result."""

    lines: Count = required("Lines in the file; 0 until it is read.")
    captured: Count = required("New items, including the archived ones.")
    archived: Count = required("New items that were archived, because they were read or archived in the source.")
    joined: Count = required("Lines that joined an item that you already had.")
    duplicate: Count = required("Lines that joined an earlier line of the same file.")
    bad: Count = required("Lines that were skipped because of an error.")
    left: Count = required("Remaining lines.")


class ImportFailure(Explained):
    """Why an import failed."""

    error_code: str = required(
        "Error code, for programs.", **one_of(("IMPORT_FILE_UNREADABLE", "IMPORT_NO_FILE", "IMPORT_STOPPED"))
    )
    message: str = required("What went wrong and what to do, for users.")
    failed_at: Time = required("Time of the failure.")


class ImportShown(Answer):
    """An import of a file, and its progress."""

    id: Id = required("Unique identifier. Sorts by time of creation.")
    status: str = required(STATUS_WORDS, **one_of(IMPORT.states))
    version: Version = required("Version number. Increases with every change.")
    created_at: Time = required("Time of creation.")
    updated_at: Time = required("Time of the last change.")
    done_at: Time = optional("Time when processing of the last item ended.")
    filename: str = required("Name of the file.")
    size: Count = required("Size of the file in bytes.")
    kind: str = optional(
        "Detected format of the file.", **one_of(dict.fromkeys((*(kind.name for kind in KINDS), "zip")))
    )
    process: bool = required("Whether its items are processed automatically.")
    intent_text: str = optional("Intent of lines without a note.")
    profile: Profile = required("The reader that the summaries are written for.")
    language: str = optional("Language of the results, if you chose one.")
    counts: ImportCounts = required("Progress in lines.")
    in_flight: Count = required("Items in progress; at most 50.", maximum=50)
    failure: ImportFailure = optional("Why it failed. Only while it is FAILED.")


class ImportAction(Answer):
    """An action that is available for the import now."""

    action: str = required("Name of the action.", **one_of(("start", "pause", "resume", "cancel")))
    method: Literal["POST"] = required("HTTP method of the call.")
    path: str = required("Path of the call.")


class ImportUpload(Answer):
    """The request that uploads the file. It is valid for 15 minutes."""

    method: Literal["PUT"] = required("HTTP method of the request.")
    url: str = required("URL for the file. It needs no token and accepts only the announced size.")
    headers: dict[str, str] = required(f"Headers to send unchanged. The content type is {UPLOAD_TYPE}.")


class ImportAnswer(Answer):
    """An import and its available actions."""

    import_: ImportShown | Reference = Field(alias="import", description="The import.")
    available_actions: list[ImportAction] = required("Actions that are available now.")
    upload: ImportUpload = optional("The request that uploads the file. Only while it is WAITING.")


class ImportsAnswer(Answer):
    """Your imports."""

    imports: list[ImportShown] = required("Newest first.", maxItems=100)


class ImportedLine(Explained):
    """The result of a line."""

    line: Version = optional("Number of the line. Missing after 90 days, when the file is deleted.")
    result: str = required("Result of the line.", **one_of(RESULTS))
    item: Id = optional("The new item, or the item that the line joined.")
    url: str = optional("URL, truncated to 200 characters.")
    title: str = optional("Title, truncated to 200 characters.")
    place: str = optional("Position in the file. Only for bad lines.")
    place_message_key: str = optional(MESSAGE_KEY)
    place_params: dict[str, Any] = optional(MESSAGE_PARAMS)
    words: str = optional("What is wrong and what to do. Only for bad lines.")


class LinesAnswer(Answer):
    """A page of the lines of an import."""

    lines: list[ImportedLine] = required("Lines, in the order of the file.", maxItems=100)
    next_cursor: str | None = required("Cursor of the next page; null at the end of the lines read so far.")
