"""The import as it is shown, and what became of its lines."""

from typing import Any, Literal

from pydantic import Field

from readdo.import_formats.kinds import KINDS
from readdo.lifecycle.import_job import IMPORT
from readdo.read.imports.import_commands import UPLOAD_TYPE
from readdo.read.imports.results import RESULTS
from readdo.web.requests import Profile

from .fields import MESSAGE_KEY, MESSAGE_PARAMS, Answer, Count, Explained, Id, Time, Version, maybe, one_of, told
from .items import Reference


class ImportCounts(Answer):
    """How many lines are where."""

    lines: Count = told("That the file has; 0 until it is read.")
    captured: Count = told("New items, those that were put away among them.")
    archived: Count = told("Of the new items: put away, since they were read or archived there.")
    joined: Count = told("Joined items that you had before.")
    duplicate: Count = told("Joined an earlier line of the same file.")
    bad: Count = told("Told and passed over.")
    left: Count = told("Still to come.")


class ImportFailure(Explained):
    """Why an import ended without its end."""

    error_code: str = told("For a program.", **one_of(("IMPORT_FILE_UNREADABLE", "IMPORT_NO_FILE", "IMPORT_STOPPED")))
    message: str = told("For a person: what happened, what to do.")
    failed_at: Time = told("When.")


class ImportShown(Answer):
    """A file that is brought in."""

    id: Id = told("Sorts by the time it was asked for.")
    status: str = told("Where it stands; docs/lifecycles.md says what may follow.", **one_of(IMPORT.states))
    version: Version = told("Changes with every change.")
    created_at: Time = told("When it was asked for.")
    updated_at: Time = told("When it changed last.")
    done_at: Time = maybe("When its last item came to rest.")
    filename: str = told("As you named it.")
    size: Count = told("Of the file, in bytes.")
    kind: str = maybe("What it was read as.", **one_of(dict.fromkeys((*(kind.name for kind in KINDS), "zip"))))
    process: bool = told("Whether its items go on by themselves.")
    intent_text: str = maybe("For lines without a note.")
    profile: Profile = told("Whose questions the summaries answer.")
    language: str = maybe("Of what is written about its items, if you chose one.")
    counts: ImportCounts = told("How far it is, in lines.")
    in_flight: Count = told("Items that are being worked on; never more than 50.", maximum=50)
    failure: ImportFailure = maybe("While it is FAILED: why.")


class ImportAction(Answer):
    """Something that can be done with the import now."""

    action: str = told("What it is called.", **one_of(("start", "pause", "resume", "cancel")))
    method: Literal["POST"] = told("The call's method.")
    path: str = told("The call's path.")


class Upload(Answer):
    """Where the file goes, for 15 minutes: with these headers, and of the size that was named."""

    method: Literal["PUT"] = told("The method.")
    url: str = told("The link; it needs no token.")
    headers: dict[str, str] = told(f"To be sent as they are; the type is {UPLOAD_TYPE}.")


class ImportAnswer(Answer):
    """An import, and what can be done with it."""

    asked: ImportShown | Reference = Field(alias="import", description="The import.")
    available_actions: list[ImportAction] = told("What can be done now.")
    upload: Upload = maybe("While it is WAITING: where its file goes.")


class ImportsAnswer(Answer):
    """Your newest imports."""

    imports: list[ImportShown] = told("Newest first.", maxItems=100)


class ImportedLine(Explained):
    """What became of a line."""

    line: Version = maybe("How manieth it is; missing where the file is no longer kept (after 90 days).")
    result: str = told("What became of it.", **one_of(RESULTS))
    item: Id = maybe("The item that it is, or that it joined.")
    url: str = maybe("Its link, cut at 200 characters.")
    title: str = maybe("Its title, cut at 200 characters.")
    place: str = maybe("Where in the file it stands, if it is bad.")
    place_message_key: str = maybe(MESSAGE_KEY)
    place_params: dict[str, Any] = maybe(MESSAGE_PARAMS)
    words: str = maybe("What is wrong with it, and what to do.")


class LinesAnswer(Answer):
    """Some of an import's lines."""

    lines: list[ImportedLine] = told("In the order of the file.", maxItems=100)
    next_cursor: str | None = told("Where to go on; null at the end of what is done so far.")
