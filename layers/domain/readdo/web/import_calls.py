"""API calls of imports."""

from readdo.web.call_spec import CONFLICT, INVALID, KEY, NOT_FOUND, REUSED, Call


def _of_import(verb: str, name: str, does: str) -> Call:
    """Idempotent: an import that is already in the target state stays there."""
    path = f"/imports/{{import_id}}/{verb}"
    return Call("POST", path, name, does, {200: "ImportAnswer"}, "Empty", refuses=(INVALID, NOT_FOUND, CONFLICT))


CALLS_OF_IMPORTS = (
    Call(
        "POST",
        "/import",
        "importFile",
        "Create an import: announce the file and get an upload URL.",
        {202: "ImportAnswer"},
        "Import",
        "PUT the file to `upload.url` with `upload.headers` within 15 minutes (`GET /imports/{id}` has a new link) "
        "and start the import. For several files, create several imports or upload a zip. Formats: docs/importing.md.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call("GET", "/imports", "listImports", "List your imports, newest first.", {200: "ImportsAnswer"}),
    Call(
        "GET",
        "/imports/{import_id}",
        "getImport",
        "Get an import with its counts: new, joined, bad and remaining lines.",
        {200: "ImportAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        "/imports/{import_id}/lines",
        "listLines",
        "List the result of each line so far, in the order of the file.",
        {200: "LinesAnswer"},
        more="With `result`, a page may be empty and still have a `next_cursor`: continue.",
        query=("result", "cursor", "limit"),
        refuses=(INVALID, NOT_FOUND),
    ),
    _of_import("start", "startImport", "Start an import after the upload."),
    _of_import("pause", "pauseImport", "Pause an import. Items in progress are finished."),
    _of_import("resume", "resumeImport", "Resume a paused or failed import at the next line."),
    _of_import("cancel", "cancelImport", "Cancel an import. Imported items stay."),
)
