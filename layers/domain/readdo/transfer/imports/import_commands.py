"""Commands of a user on an import: create it with an upload link, start, pause, resume, cancel."""

from dataclasses import asdict, dataclass
from typing import Any, cast

from readdo import clock, files
from readdo.errors import Rejected
from readdo.lifecycle.advance import Change, NotFound, Replayed, advance, advance_all, create, move
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import VERSION_SEEN, Busy, Key, Table, WriteRefused, same
from readdo.runtime import seconds
from readdo.store import idempotency, keys
from readdo.store.keys import NOT_DUE, due, without_empty
from readdo.store.table import DynamoTable
from readdo.transfer import transfer_keys
from readdo.transfer.imports import pages
from readdo.transfer.rows import ImportRow, NewImport, OptionalImportFields, import_row
from readdo.transfer.workflows import start_import

OPERATION = "import"
UPLOAD_TYPE = "application/octet-stream"
FILE_MAX = 100_000_000  # bytes
WAITS_SECONDS = 24 * 3600  # for its file
COUNTED = ("lines", "captured", "joined", "duplicate", "archived", "bad")
_TRIES = 8
LISTED_MAX = 100


class NoFile(Rejected):
    """The file of the import is not uploaded yet."""

    key = "rejected.import_without_file"


class NoPages(Rejected):
    """The lines of the import are past their retention."""

    key = "rejected.import_expired"


@dataclass(frozen=True)
class ImportRequest:
    filename: str
    size: int
    sha256: str = ""
    process: bool = True
    intent_text: str = ""
    profile: str = "engineer"
    language: str = ""

    @property
    def fingerprint(self) -> str:
        return idempotency.fingerprint(asdict(self))


def create_import(table: Table, owner: str, request: ImportRequest, key: str, at: str) -> ImportRow:
    """The import's row: created, or the one with the same key."""
    for _ in range(_TRIES):
        import_id_of_key = (
            idempotency.first_answer(table, owner, OPERATION, key, request.fingerprint, at) if key else None
        )
        row = import_row(table, owner, import_id_of_key) if import_id_of_key else None
        if row is not None:
            return row
        import_id = clock.new_id(at)
        first = create(
            IMPORT,
            "ask",
            transfer_keys.import_job(owner, import_id),
            _first_row(owner, import_id, request, at),
            who="user",
            at=at,
        )
        record = [idempotency.record(owner, OPERATION, key, request.fingerprint, import_id, at)] if key else []
        try:
            advance_all(table, *record, first)
        except WriteRefused:
            continue  # the same key at the same time: the next try finds it
        return cast("ImportRow", dict(first.write.row))
    raise Busy("import")


def _first_row(owner: str, import_id: str, request: ImportRequest, at: str) -> NewImport:
    optional: OptionalImportFields = {
        "sha256": request.sha256,
        "intent_text": request.intent_text,
        "language": request.language,
    }
    row: NewImport = {
        "id": import_id,
        "owner": owner,
        "created_at": at,
        "filename": request.filename,
        "size": request.size,
        "process": request.process,
        "profile": request.profile,
        "epoch": 0,
        "restarts": 0,
        "counts": dict.fromkeys(COUNTED, 0),
        "in_flight": [],
    }
    return {**row, **without_empty(optional), **due(import_id, clock.after(at, WAITS_SECONDS))}


def find(table: Table, owner: str, import_id: str) -> ImportRow:
    row = import_row(table, owner, import_id)
    if row is None:
        raise NotFound(IMPORT, "look", None)
    return row


def upload_of(row: ImportRow) -> dict[str, Any]:
    return files.upload_link(file_of(row), UPLOAD_TYPE, row["size"], row.get("sha256", ""))


def file_of(row: ImportRow) -> str:
    return f"imports/{row['owner']}/{row['id']}/file"


def start(table: Table, owner: str, import_id: str, at: str) -> ImportRow:
    row = find(table, owner, import_id)
    if "start" in IMPORT.open_to(USER, row) and files.size_of(file_of(row)) is None:
        raise NoFile(filename=row["filename"])
    return _start(table, row, "start", at)


def resume(table: Table, owner: str, import_id: str, at: str) -> ImportRow:
    row = find(table, owner, import_id)
    if "resume" in IMPORT.open_to(USER, row) and not pages.is_there(row):
        raise NoPages(filename=row["filename"], days=pages.KEPT_DAYS)
    return _start(table, row, "resume", at)


def pause(table: Table, owner: str, import_id: str, at: str) -> ImportRow:
    """No further line is started. Items in progress continue."""
    return _stop(table, owner, import_id, "pause", at)


def cancel(table: Table, owner: str, import_id: str, at: str) -> ImportRow:
    """Items that were created stay."""
    return _stop(table, owner, import_id, "cancel", at)


def _stop(table: Table, owner: str, import_id: str, trigger: str, at: str) -> ImportRow:
    change = Change(removes=NOT_DUE, params={"there": IMPORT.target(trigger)})
    return _move(table, trigger, transfer_keys.import_job(owner, import_id), change, at)


def _start(table: Table, row: ImportRow, trigger: str, at: str) -> ImportRow:
    """The new epoch refuses writes of an earlier start."""
    epoch = row["epoch"] + 1
    sets = {"epoch": epoch, "restarts": 0, **due(row["id"], clock.after(at, seconds("IMPORT_SECONDS", 900)))}
    params = {"seen_version": row["version"], "there": IMPORT.target(trigger)}
    change = Change(sets=sets, removes=("failure",), condition=VERSION_SEEN, params=params)
    started = _move(table, trigger, transfer_keys.import_job(row["owner"], row["id"]), change, at)
    if started["epoch"] == epoch:
        start_import(started)
    return started


def _move(table: Table, trigger: str, key: Key, change: Change, at: str) -> ImportRow:
    """A repeated command has no further effect."""
    there = same("status", "there")
    try:
        return cast(
            "ImportRow", advance(table, move(IMPORT, trigger, key, who="user", at=at, change=change, replay=there))
        )
    except Replayed as again:
        return cast("ImportRow", dict(again.row))


def imports_of(table: DynamoTable, owner: str) -> list[ImportRow]:
    where, between = keys.partition(keys.owner(owner)), keys.stretch(transfer_keys.IMPORT_PREFIX)
    page = table.query(where, between=between, newest_first=True, limit=LISTED_MAX)
    return [cast("ImportRow", row) for row in page.rows]
