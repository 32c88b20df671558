"""API calls of backups, imports and restores."""

from readdo.web.call_spec import CONFLICT, INVALID, KEY, NOT_FOUND, REUSED, Call


def _of_import(verb: str, name: str, does: str) -> Call:
    """Idempotent: an import that is already in the target state stays there."""
    path = f"/imports/{{import_id}}/{verb}"
    return Call("POST", path, name, does, {200: "ImportAnswer"}, "Empty", refuses=(INVALID, NOT_FOUND, CONFLICT))


CALLS = (
    Call(
        "GET",
        "/export-all",
        "exportAll",
        "Back up all your items, versions, history and files as one zip.",
        {200: "BackupAnswer", 202: "BackupAnswer"},
        more="Returns 202 with `Location` while it runs. If a backup is in progress or was made in the last ten "
        "minutes, that one is returned; `fresh` starts a new one. Your items are not changed.",
        query=("fresh",),
        refuses=(INVALID, CONFLICT),
    ),
    Call(
        "GET",
        "/backups",
        "listBackups",
        "List your backups of the last seven days, newest first.",
        {200: "BackupsAnswer"},
    ),
    Call(
        "GET",
        "/backups/{backup_id}",
        "getBackup",
        "Get the status of a backup.",
        {200: "BackupAnswer", 202: "BackupAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        "/backups/{backup_id}/file",
        "getBackupFile",
        "Get the zip of a backup: a redirect to a link that is valid for 15 minutes. The path stays valid.",
        {302: ""},
        more="Follow it without the Authorization header.",
        refuses=(NOT_FOUND,),
    ),
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
    Call(
        "POST",
        "/restore",
        "offerRestore",
        "Restore a backup, step 1: announce the file and get an upload URL.",
        {201: "RestoreOffer"},
        "Restore",
        "PUT the file to `upload.url` with `upload.headers` and without the Authorization header within 15 minutes, "
        "then start the restore. Only one restore runs at a time.",
        refuses=(INVALID, CONFLICT),
    ),
    Call(
        "POST",
        "/restores/{restore_id}/start",
        "startRestore",
        "Restore a backup, step 2: start it after the upload.",
        {200: "RestoreAnswer", 202: "RestoreAnswer"},
        "Empty",
        "Items that already exist are not changed, so you can restore the same file twice. Items that were QUEUED or "
        "PROCESSING are restored as READY if they had results, else as CAPTURED.",
        refuses=(INVALID, NOT_FOUND, CONFLICT),
    ),
    Call(
        "GET",
        "/restores",
        "listRestores",
        "List your restores of the last seven days, newest first.",
        {200: "RestoresAnswer"},
    ),
    Call(
        "GET",
        "/restores/{restore_id}",
        "getRestore",
        "Get the status of a restore.",
        {200: "RestoreAnswer", 202: "RestoreAnswer"},
        refuses=(NOT_FOUND,),
    ),
)
