"""The calls that bring in what was saved elsewhere."""

from readdo.web.call import CONFLICT, INVALID, KEY, NOT_FOUND, REUSED, Call


def _of_import(verb: str, name: str, does: str) -> Call:
    """Each may be sent twice: an import that is where it is to go stays there."""
    path = f"/imports/{{import_id}}/{verb}"
    return Call("POST", path, name, does, {200: "ImportAnswer"}, "Empty", refuses=(INVALID, NOT_FOUND, CONFLICT))


CALLS_OF_IMPORTS = (
    Call(
        "POST",
        "/import",
        "importFile",
        "Bring in what you saved elsewhere: ask for a place for the file, send it there, start.",
        {202: "ImportAnswer"},
        "Import",
        "Send the file to `upload` exactly as it says (within 15 minutes; `GET /imports/{id}` has a fresh link), then "
        "start it. Files of several parts are several imports, or a zip. What can be read: docs/importing.md.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call("GET", "/imports", "listImports", "Your imports, newest first.", {200: "ImportsAnswer"}),
    Call(
        "GET",
        "/imports/{import_id}",
        "getImport",
        "How an import stands: how many lines are in, joined, bad and left.",
        {200: "ImportAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        "/imports/{import_id}/lines",
        "listLines",
        "What became of each line so far, in the order of the file.",
        {200: "LinesAnswer"},
        more="With `result` one call may find none of them and still have a `next_cursor`: go on.",
        query=("result", "cursor", "limit"),
        refuses=(INVALID, NOT_FOUND),
    ),
    _of_import("start", "startImport", "The file is there: read it, and bring it in line by line."),
    _of_import("pause", "pauseImport", "Begin no more lines. What is under way for items goes on."),
    _of_import("resume", "resumeImport", "Go on with the next line; also after a failure, once the file was read."),
    _of_import("cancel", "cancelImport", "End it. What was brought in stays."),
)
