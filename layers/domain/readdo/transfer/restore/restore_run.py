"""Run a restore line by line. Items that exist are left unchanged."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from readdo import clock
from readdo.errors import LeaseLost
from readdo.jobs import sliced_job
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Change, Forbidden, Move, NotFound, Refused, advance_all, check, living
from readdo.lifecycle.write import ABSENT, Write, WriteRefused
from readdo.messages import message, stored_fields
from readdo.read import item_keys
from readdo.store.table import DynamoTable
from readdo.transfer.jobs import RESTORE_JOB
from readdo.transfer.restore import backup_lines, zip_reader
from readdo.transfer.restore.backup_lines import BadBackupLine, StoredArtifact, StoredItem
from readdo.transfer.restore.item_restore import IncompleteItem, RestoreWrites, plan_restore
from readdo.transfer.restore.restore_sections import SECTIONS, RestoreSection
from readdo.transfer.rows import RestoreRow

NOTED_AFTER = 20  # lines
_TRIES = 8
AT_ONCE = 10  # rows of a transaction: within its size limit, however long they are
TOLD_MAX = 100  # reasons that are stored
ARTIFACTS_MAX = 2_000  # of one item


@dataclass
class RestoreProgress:
    lines: int = 0
    restored: int = 0
    known: int = 0  # existed already, and were left unchanged
    refused: int = 0
    told: list[dict[str, Any]] = field(default_factory=list)
    job_lines: int = 0
    document_lines: int = 0
    assignment_lines: int = 0

    @property
    def all_lines(self) -> int:
        return self.lines + self.job_lines + self.document_lines + self.assignment_lines

    def refuse(self, item: str, words: str) -> None:
        self.refused += 1
        if len(self.told) < TOLD_MAX:
            place = item or message("place.line", n=self.lines + 1)
            message_fields = stored_fields(words) | stored_fields(place, "place_")
            self.told.append({"item": place, "message": words, **message_fields})


def of(event: Mapping[str, Any]) -> Slice:
    return Slice.of(RESTORE_JOB, event)


def carry_on(table: DynamoTable, current: Slice, time_left: Callable[[], bool]) -> None:
    row = cast("RestoreRow", sliced_job.fenced(table, current))
    so_far = RestoreProgress(**row["so_far"])
    lines_before = so_far.all_lines
    zipped = zip_reader.open_backup(row["file"]["at"], row["file"]["bytes"])
    artifacts = _Artifacts(_in_time(zip_reader.lines(zipped, "artifacts.jsonl"), time_left))
    number = -1
    try:
        for number, line in enumerate(_in_time(zip_reader.lines(zipped, "items.jsonl"), time_left)):
            if number < so_far.lines:
                continue
            if line.strip():
                _restore_line(table, current, so_far, line, artifacts, zipped)
            so_far.lines += 1
            if so_far.lines % NOTED_AFTER == 0 and line.strip():
                row = cast("RestoreRow", sliced_job.note(table, current, row, {"so_far": asdict(so_far)}, clock.now()))
        for section in SECTIONS:
            row = _restore_section(table, current, row, so_far, zipped, section, time_left)
    except _TimeIsUp:
        if so_far.all_lines == lines_before and number >= 0:  # the next slice would not get further
            words = message("restore.download_again", why=message("restore.dead_lines"))
            raise zip_reader.UnreadableZip(words) from None
        row = cast("RestoreRow", sliced_job.note(table, current, row, {"so_far": asdict(so_far)}, clock.now()))
        sliced_job.pause(table, current, row, clock.now())
        return
    sliced_job.finish(table, current, row, {"so_far": asdict(so_far)}, clock.now())


class _TimeIsUp(Exception):
    """The invocation has worked long enough. The next one continues."""


def _in_time(lines: Iterator[bytes], time_left: Callable[[], bool]) -> Iterator[bytes]:
    """Every line takes time, including blank and invalid ones."""
    for line in lines:
        if not time_left():
            raise _TimeIsUp
        yield line


def _restore_line(
    table: DynamoTable, current: Slice, so_far: RestoreProgress, line: bytes, artifacts: "_Artifacts", zipped: Any
) -> None:
    try:
        item = backup_lines.item_of(line)
    except BadBackupLine as error:
        so_far.refuse("", message("restore_line.unreadable", why=error.args[0]))
        return
    if _is_decided(table, current, so_far, item.id):
        return
    try:
        writes = plan_restore(table, current.owner, item, artifacts.of(item), zipped, clock.now())
        _delete_leftovers(table, current, item.id, writes)
        _write_all(table, current, writes)
        so_far.restored += 1
    except (BadBackupLine, IncompleteItem) as error:
        so_far.refuse(item.id, message("restore_line.not_restored", why=error.args[0]))
    except (NotFound, Forbidden, WriteRefused):
        if not _is_decided(table, current, so_far, item.id):
            so_far.refuse(item.id, message("restore_line.page_just_captured"))


def _restore_section(
    table: DynamoTable,
    current: Slice,
    row: RestoreRow,
    so_far: RestoreProgress,
    zipped: Any,
    section: RestoreSection,
    time_left: Callable[[], bool],
) -> RestoreRow:
    lines = zip_reader.lines(zipped, section.member) if section.member in zipped.namelist() else iter(())
    for number, line in enumerate(_in_time(lines, time_left)):
        if number < getattr(so_far, section.counter):
            continue
        if line.strip():
            _restore_entry(table, current, so_far, line, zipped, section)
        setattr(so_far, section.counter, number + 1)
        if (number + 1) % section.noted_after == 0:
            row = cast("RestoreRow", sliced_job.note(table, current, row, {"so_far": asdict(so_far)}, clock.now()))
    return row


def _restore_entry(
    table: DynamoTable, current: Slice, so_far: RestoreProgress, line: bytes, zipped: Any, section: RestoreSection
) -> None:
    name = ""
    try:
        entry = section.parse(line)
        name = section.name_of(entry)
        for _ in range(_TRIES):
            if section.exists(table, current.owner, entry):
                so_far.known += 1
                return
            with suppress(Forbidden, WriteRefused):  # something else was written meanwhile
                writes = section.plan(table, current.owner, entry, zipped, clock.now())
                _write_all(table, current, writes)
                so_far.restored += 1
                return
        so_far.refuse(name, message("restore_line.busy"))
    except BadBackupLine as error:
        so_far.refuse(name, message("restore_line.unreadable", why=error.args[0]))


def _write_all(table: DynamoTable, current: Slice, writes: RestoreWrites) -> None:
    for first in range(0, len(writes.beside), AT_ONCE):
        _write(table, current, *writes.guard, *writes.beside[first : first + AT_ONCE])
    _write(table, current, *writes.last)


def _is_decided(table: DynamoTable, current: Slice, so_far: RestoreProgress, item_id: str) -> bool:
    """Items and tombstones are left alone: a tombstone's sweep would delete what is written beside it."""
    row = table.get(item_keys.item(current.owner, item_id))
    if living(row) is not None:
        so_far.known += 1
    elif row is not None:
        so_far.refuse(item_id, message("restore_line.just_deleted"))
    return row is not None


def _delete_leftovers(table: DynamoTable, current: Slice, item_id: str, writes: RestoreWrites) -> None:
    """Delete what an abandoned restore of another backup left beside this item.

    The check prevents that data of an item which exists by now is deleted.
    """
    own_keys = {write.key for write in writes.beside}
    existing = table.keys_of(item_keys.item_partition(current.owner, item_id))
    deletions = [Write(key, "delete") for key in existing if key not in own_keys]
    is_absent = Write(item_keys.item(current.owner, item_id), "check", condition=ABSENT)
    for first in range(0, len(deletions), AT_ONCE):
        _write(table, current, is_absent, *deletions[first : first + AT_ONCE])


def _write(table: DynamoTable, current: Slice, *steps: Move | Write) -> None:
    """Write under the fence: an overtaken invocation writes nothing more."""
    holding = check(current.work.machine, "note", current.key, Change(params=current.fence))
    try:
        advance_all(table, holding, *steps)
    except Refused as refused:
        if refused.machine is current.work.machine:
            raise LeaseLost(str(refused)) from refused
        raise


class _Artifacts:
    """Reads artifacts beside their items: both files have the same order, so each is read once."""

    def __init__(self, rest: Iterator[bytes]) -> None:
        self._rest = rest
        self._next: StoredArtifact | None = None

    def of(self, item: StoredItem) -> list[StoredArtifact]:
        artifacts: list[StoredArtifact] = []
        while (ahead := self._ahead()) is not None and ahead.item <= item.id:
            if ahead.item == item.id:
                artifacts.append(ahead)
            if len(artifacts) > ARTIFACTS_MAX:
                raise IncompleteItem(message("restore_line.too_many_artifacts"))
            self._next = None
        return artifacts

    def _ahead(self) -> StoredArtifact | None:
        while self._next is None:
            line = next(self._rest, None)
            if line is None:
                return None
            try:
                self._next = backup_lines.artifact_of(line)
            except BadBackupLine:
                continue  # its item will be found incomplete
        return self._next
