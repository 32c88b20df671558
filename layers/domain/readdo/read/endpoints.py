"""API calls of the Read desk: items, their artifacts and exports."""

from readdo.web.call_spec import (
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

_ITEM = "/items/{id}"


def _move(verb: str, does: str, takes: str, *refuses: str, status: int = 200, more: str = "") -> Call:
    codes = (INVALID, NOT_FOUND, *refuses, CONFLICT, REUSED)
    return Call("POST", f"{_ITEM}/{verb}", f"{verb}Item", does, {status: "ItemAnswer"}, takes, more, (), (KEY,), codes)


CALLS = (
    Call(
        "POST",
        "/capture",
        "capture",
        "Save a link or a text with the reason why.",
        {201: "ItemAnswer", 200: "JoinedAnswer"},
        "Capture",
        "Processing starts automatically unless `process` is false. If you already saved this page, the intent is "
        "added to the existing item (200, `joined`), and nothing is processed again. The same `capture_id` or "
        "Idempotency-Key returns the same item.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        "/items",
        "listItems",
        "List your items, best first.",
        {200: "ItemsAnswer", 304: ""},
        more="Repeat a filter or separate its values with commas. With a filter, one call reads up to 1,000 items and "
        "returns those that match. Continue while there is a `next_cursor`, even if a page is empty.",
        query=("status", "priority", "source_type", "q", "sort", "cursor", "limit"),
        headers=(SEEN,),
        refuses=(INVALID,),
    ),
    Call(
        "GET",
        _ITEM,
        "getItem",
        "Get an item with its results and available actions.",
        {200: "DetailAnswer", 304: ""},
        more="Shows your newest version of each artifact, or the generated one of the last complete run.",
        query=("include_history", "versions"),
        headers=(SEEN,),
        refuses=(INVALID, NOT_FOUND),
    ),
    Call(
        "PATCH",
        _ITEM,
        "patchItem",
        "Change an item: intent, title, language, profile or text.",
        {200: "ItemAnswer"},
        "Patch",
        "Not while it is QUEUED or PROCESSING. The change applies from the next run: process the item again to see it.",
        headers=(IF_MATCH, KEY),
        refuses=(INVALID, *FOUND_AND_OPEN, MISMATCH),
    ),
    Call(
        "DELETE",
        _ITEM,
        "deleteItem",
        "Delete an item with all its versions, files and links.",
        {204: ""},
        more="Not while it is PROCESSING. This cannot be undone.",
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
    _move(
        "process",
        "Start a run: PROCESS or RETRY a waiting or failed item, REGENERATE one that is READY or ARCHIVED.",
        "Process",
        "PROCESS_NOT_ALLOWED",
        BUSY,
        status=202,
        more="If a new run fails, the earlier results stay.",
    ),
    _move("keep", "Keep the earlier results after a failed run.", "Empty"),
    _move("ship", "Mark an item as shipped without an export.", "Empty"),
    _move("archive", "Archive an item.", "Archive", "ARCHIVE_NOT_ALLOWED", BUSY),
    _move(
        "unarchive",
        "Unarchive an item. It is processed again if it has no complete results, or if you request it.",
        "Unarchive",
    ),
    Call(
        "POST",
        "/items/batch",
        "batch",
        "Apply an action to up to 100 items.",
        {200: "BatchAnswer"},
        "Batch",
        "Each item has its own result. A failed one does not stop the others.",
        headers=(KEY,),
        refuses=(INVALID, REUSED),
    ),
    Call(
        "PUT",
        f"{_ITEM}/artifacts/{{type}}",
        "editArtifact",
        "Replace the summary, the todos or the card with your own version.",
        {201: "EditAnswer"},
        "EditablePayload",
        "For READY and SHIPPED items. If-Match is the version that is shown. `render_spec` of a card is optional.",
        headers=(IF_MATCH, KEY),
        refuses=(INVALID, *FOUND_AND_OPEN, MISMATCH),
    ),
    Call(
        "DELETE",
        f"{_ITEM}/artifacts/{{type}}/user",
        "dropEdits",
        "Restore the generated version. Your versions stay readable.",
        {204: ""},
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
    Call(
        "GET",
        f"{_ITEM}/artifacts/{{type}}/{{version}}",
        "getVersion",
        "Get a version of an artifact.",
        {200: "VersionAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "POST",
        f"{_ITEM}/export",
        "exportItem",
        "Create files of the card and mark the item as SHIPPED.",
        {200: "ExportAnswer", 202: "ExportAnswer"},
        "Export",
        "Needs `export_key` or Idempotency-Key. Returns 202 with `Location` while it runs, and 200 when it is done or "
        "has failed. The same key returns the same files. After a failed export it creates only the missing files.",
        headers=(KEY,),
        refuses=(INVALID, NOT_FOUND, "EXPORT_NOT_ALLOWED", BUSY, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        f"{_ITEM}/exports/{{export_key}}",
        "getExport",
        "Get the status of an export.",
        {200: "ExportAnswer", 202: "ExportAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        "/exports/{id}/{export_key}/{file}",
        "getFile",
        "Get a file of an export: a redirect to a link that is valid for 15 minutes. This path stays valid.",
        {302: ""},
        more="Follow it without the Authorization header.",
        refuses=(NOT_FOUND,),
    ),
)
