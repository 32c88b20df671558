"""Every call there is, as data: who answers 405, the API's description and its page are made from these rows."""

from readdo.web.call import (
    BUSY,
    CONFLICT,
    FOUND_AND_OPEN,
    IF_MATCH,
    INVALID,
    KEY,
    MISMATCH,
    NOT_FOUND,
    REUSED,
    SEEN,
    Call,
)
from readdo.web.do_calls import DO_CALLS
from readdo.web.import_calls import CALLS_OF_IMPORTS
from readdo.web.webhook_calls import WEBHOOK_CALLS

_ITEM = "/items/{id}"


def _move(verb: str, does: str, takes: str, *refuses: str, status: int = 200, more: str = "") -> Call:
    codes = (INVALID, NOT_FOUND, *refuses, CONFLICT, REUSED)  # CONFLICT also if too many change it at once
    return Call("POST", f"{_ITEM}/{verb}", f"{verb}Item", does, {status: "ItemAnswer"}, takes, more, (), (KEY,), codes)


CALLS = (
    Call(
        "POST",
        "/capture",
        "capture",
        "Save a link or a text, and one line on why.",
        {201: "ItemAnswer", 200: "JoinedAnswer"},
        "Capture",
        "Unless `process` is false it goes on by itself: watch its state. A page that you have saved already joins its "
        "item (200, `joined`): the intent is listed, nothing is read again. The same `capture_id` or Idempotency-Key "
        "again is the same item.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        "/items",
        "listItems",
        "The inbox: your items, best first.",
        {200: "ItemsAnswer", 304: ""},
        more="Filters can be repeated, and a comma between values does as well. With a filter one call looks at no "
        "more than 1,000 items and returns what it found: go on while there is a `next_cursor`, even if a page is "
        "empty.",
        query=("status", "priority", "source_type", "q", "sort", "cursor", "limit"),
        headers=(SEEN,),
        refuses=(INVALID,),
    ),
    Call(
        "GET",
        _ITEM,
        "getItem",
        "One item: what was made of it, and what can be done next.",
        {200: "DetailAnswer", 304: ""},
        more="Of each artifact your newest version is shown, or else the system's of the last whole run.",
        query=("include_history", "versions"),
        headers=(SEEN,),
        refuses=(INVALID, NOT_FOUND),
    ),
    Call(
        "PATCH",
        _ITEM,
        "patchItem",
        "Change the item's own words: intent, title, language, profile, or the text itself.",
        {200: "ItemAnswer"},
        "Patch",
        "Not while it is QUEUED or PROCESSING. It counts from the next run on: process it again to see it.",
        headers=(IF_MATCH, KEY),
        refuses=(INVALID, *FOUND_AND_OPEN, MISMATCH),
    ),
    Call(
        "DELETE",
        _ITEM,
        "deleteItem",
        "Delete the item with all its versions, files and links.",
        {204: ""},
        more="Not while it is PROCESSING. There is no way back.",
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
    _move(
        "process",
        "Start a run: PROCESS (or RETRY) what waits or failed, REGENERATE what is READY or ARCHIVED.",
        "Process",
        "PROCESS_NOT_ALLOWED",
        BUSY,
        status=202,
        more="A run that fails over a good set changes nothing that is shown.",
    ),
    _move("keep", "After a failed rerun: go back to the set that was served before.", "Empty"),
    _move("ship", "Mark it as shipped, without an export.", "Empty"),
    _move("archive", "Put it away.", "Archive", "ARCHIVE_NOT_ALLOWED", BUSY),
    _move("unarchive", "Take it out again: READY, or read anew if there is no whole set or you say so.", "Unarchive"),
    Call(
        "POST",
        "/items/batch",
        "batch",
        "The same action for up to 100 items; each has its own answer.",
        {200: "BatchAnswer"},
        "Batch",
        "Items that cannot do it say why; the others are not held up.",
        headers=(KEY,),
        refuses=(INVALID, REUSED),
    ),
    Call(
        "PUT",
        f"{_ITEM}/artifacts/{{type}}",
        "editArtifact",
        "Put your own version of the summary, the todos or the card before the system's.",
        {201: "EditAnswer"},
        "EditablePayload",
        "From READY and SHIPPED. If-Match is the version that is shown. A card's `render_spec` may be left out.",
        headers=(IF_MATCH, KEY),
        refuses=(INVALID, *FOUND_AND_OPEN, MISMATCH),
    ),
    Call(
        "DELETE",
        f"{_ITEM}/artifacts/{{type}}/user",
        "dropEdits",
        "Show the system's version again; yours stay readable.",
        {204: ""},
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
    Call(
        "GET",
        f"{_ITEM}/artifacts/{{type}}/{{version}}",
        "getVersion",
        "Any version of an artifact, whole.",
        {200: "VersionAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "POST",
        f"{_ITEM}/export",
        "exportItem",
        "Make files of the card that is shown, and ship the item.",
        {200: "ExportAnswer", 202: "ExportAnswer"},
        "Export",
        "It needs a key: `export_key` or Idempotency-Key. 202 with `Location` while it runs; 200 once it is done, or "
        "has failed. The same key is the same files; for a failed export it makes only what is missing.",
        headers=(KEY,),
        refuses=(INVALID, NOT_FOUND, "EXPORT_NOT_ALLOWED", BUSY, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        f"{_ITEM}/exports/{{export_key}}",
        "getExport",
        "How an export stands.",
        {200: "ExportAnswer", 202: "ExportAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        "/exports/{id}/{export_key}/{file}",
        "getFile",
        "A file of an export: a redirect to a link that lives 15 minutes. This address goes on working.",
        {302: ""},
        more="Follow it without the Authorization header.",
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        "/export-all",
        "exportAll",
        "Take everything out: all your items, versions, history and files as one zip.",
        {200: "BackupAnswer", 202: "BackupAnswer"},
        more="202 with `Location` while it is made. It joins the backup that is under way, and one of the last ten "
        "minutes serves again unless you say `fresh`: asking twice makes one. Your items are not changed by it.",
        query=("fresh",),
        refuses=(INVALID, CONFLICT),
    ),
    Call(
        "GET", "/backups", "listBackups", "Your backups of the last seven days, newest first.", {200: "BackupsAnswer"}
    ),
    Call(
        "GET",
        "/backups/{backup_id}",
        "getBackup",
        "How a backup stands.",
        {200: "BackupAnswer", 202: "BackupAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        "/backups/{backup_id}/file",
        "getBackupFile",
        "A backup's zip: a redirect to a link that lives 15 minutes. This address goes on working for seven days.",
        {302: ""},
        more="Follow it without the Authorization header.",
        refuses=(NOT_FOUND,),
    ),
    *DO_CALLS,
    *CALLS_OF_IMPORTS,
    Call(
        "POST",
        "/restore",
        "offerRestore",
        "Bring a backup back, first step: say which file, and get an address to send it to.",
        {201: "RestoreOffer"},
        "Restore",
        "PUT the file to `upload.url` with `upload.headers` and without the Authorization header, within 15 minutes; "
        "then start it. One restore at a time.",
        refuses=(INVALID, CONFLICT),
    ),
    Call(
        "POST",
        "/restores/{restore_id}/start",
        "startRestore",
        "Bring a backup back, second step: its file is sent.",
        {200: "RestoreAnswer", 202: "RestoreAnswer"},
        "Empty",
        "An item that is there already is left as it is; so the same file twice changes nothing. What was QUEUED or "
        "PROCESSING comes back READY if a set was shown, else CAPTURED.",
        refuses=(INVALID, NOT_FOUND, CONFLICT),
    ),
    Call(
        "GET",
        "/restores",
        "listRestores",
        "Your restores of the last seven days, newest first.",
        {200: "RestoresAnswer"},
    ),
    Call(
        "GET",
        "/restores/{restore_id}",
        "getRestore",
        "How a restore stands.",
        {200: "RestoreAnswer", 202: "RestoreAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call("GET", "/tokens", "listTokens", "Your tokens, without their secrets.", {200: "TokensAnswer"}),
    Call(
        "POST",
        "/tokens",
        "makeToken",
        "Make a token. Its secret is shown this once.",
        {201: "TokenAnswer", 200: "TokenAnswer"},
        "NewToken",
        "With scopes that the asking token has itself. Repeated under its key: the same token, without the secret.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "DELETE",
        "/tokens/{token_id}",
        "revokeToken",
        "Revoke a token. It may live for another minute in a warm function.",
        {204: ""},
        refuses=(NOT_FOUND,),
    ),
    *WEBHOOK_CALLS,
    Call(
        "GET",
        "/openapi.json",
        "describe",
        "This description.",
        {200: "Description", 304: ""},
        headers=(SEEN,),
        is_open=True,
    ),
    Call(
        "GET",
        "/docs",
        "readDocs",
        "This description as a page to read.",
        {200: "Page", 304: ""},
        headers=(SEEN,),
        is_open=True,
    ),
)


def queries_of(method: str, path: str) -> tuple[str, ...]:
    """The parameters that a call knows; none where it looks at none."""
    return next((call.query for call in CALLS if call.method == method and call.pattern.fullmatch(path)), ())


def methods_of(path: str) -> tuple[str, ...]:
    """What may be done with a path, if anything."""
    named = {call.method for call in CALLS if call.path == path}
    found = named or {call.method for call in CALLS if call.pattern.fullmatch(path)}
    return tuple(sorted(found | ({"HEAD"} if "GET" in found else set())))
