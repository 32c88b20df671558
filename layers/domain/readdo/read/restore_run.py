"""A restore as it is carried out: line by line, and where an item lives already it is left alone."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from readdo import clock
from readdo.backup import lines, zip_reader
from readdo.backup.item_restore import IncompleteItem, RestoreWrites, plan_restore
from readdo.backup.lines import BadBackupLine, StoredArtifact, StoredItem
from readdo.errors import LeaseLost
from readdo.lifecycle.advance import Change, Forbidden, Move, NotFound, Refused, advance_all, check, living
from readdo.lifecycle.write import ABSENT, Write, WriteRefused
from readdo.messages import message, stored_fields
from readdo.read import slices
from readdo.read.sliced_jobs import BRINGING_BACK
from readdo.read.slices import Slice
from readdo.store import keys
from readdo.store.table import DynamoTable

NOTED_AFTER = 20  # lines
AT_ONCE = 10  # rows of a transaction: few enough for its limit, however long they are
TOLD_MAX = 100  # reasons that are kept
ARTIFACTS_MAX = 2_000  # of one item


@dataclass
class RestoreProgress:
    lines: int = 0
    restored: int = 0
    known: int = 0  # were there already, and were left alone
    refused: int = 0
    told: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, item: str, words: str) -> None:
        self.refused += 1
        if len(self.told) < TOLD_MAX:
            place = item or message("place.line", n=self.lines + 1)
            keys_of_both = stored_fields(words) | stored_fields(place, "place_")
            self.told.append({"item": place, "message": words, **keys_of_both})


def of(event: Mapping[str, Any]) -> Slice:
    return Slice.of(BRINGING_BACK, event)


def carry_on(table: DynamoTable, now: Slice, time_left: Callable[[], bool]) -> None:
    row = slices.fenced(table, now)
    so_far = RestoreProgress(**row["so_far"])
    began = so_far.lines
    zipped = zip_reader.open_backup(row["file"]["at"], row["file"]["bytes"])
    made = _Artifacts(_in_time(zip_reader.lines(zipped, "artifacts.jsonl"), time_left))
    number = -1
    try:
        for number, line in enumerate(_in_time(zip_reader.lines(zipped, "items.jsonl"), time_left)):
            if number < so_far.lines:
                continue
            if line.strip():
                _line(table, now, so_far, line, made, zipped)
            so_far.lines += 1
            if so_far.lines % NOTED_AFTER == 0 and line.strip():
                row = slices.note(table, now, row, {"so_far": asdict(so_far)}, clock.now())
    except _TimeIsUp:
        if so_far.lines == began and number >= 0:  # nor would it be by the next
            words = message("restore.download_again", why=message("restore.dead_lines"))
            raise zip_reader.UnreadableZip(words) from None
        row = slices.note(table, now, row, {"so_far": asdict(so_far)}, clock.now())
        slices.pause(table, now, row, clock.now())
        return
    slices.finish(table, now, row, {"so_far": asdict(so_far)}, clock.now())


class _TimeIsUp(Exception):
    """The invocation has worked long enough; the next one goes on."""


def _in_time(lines: Iterator[bytes], time_left: Callable[[], bool]) -> Iterator[bytes]:
    """Every line takes time: a blank one and one that cannot be read, too."""
    for line in lines:
        if not time_left():
            raise _TimeIsUp
        yield line


def _line(
    table: DynamoTable, now: Slice, so_far: RestoreProgress, line: bytes, made: "_Artifacts", zipped: Any
) -> None:
    try:
        item = lines.item_of(line)
    except BadBackupLine as bad:
        so_far.refuse("", message("restore_line.unreadable", why=bad.args[0]))
        return
    if _is_decided(table, now, so_far, item.id):
        return
    try:
        brought = plan_restore(table, now.owner, item, made.of(item), zipped, clock.now())
        _clear(table, now, item.id, brought)
        for first in range(0, len(brought.beside), AT_ONCE):
            _write(table, now, *brought.beside[first : first + AT_ONCE])
        _write(table, now, *brought.last)
        so_far.restored += 1
    except (BadBackupLine, IncompleteItem) as wrong:
        so_far.refuse(item.id, message("restore_line.not_restored", why=wrong.args[0]))
    except (NotFound, Forbidden, WriteRefused):
        if not _is_decided(table, now, so_far, item.id):
            so_far.refuse(item.id, message("restore_line.page_just_captured"))


def _is_decided(table: DynamoTable, now: Slice, so_far: RestoreProgress, item_id: str) -> bool:
    """What lives is let be. What is written beside a tombstone is swept away with it, even after the item is back."""
    there = table.get(keys.item(now.owner, item_id))
    if living(there) is not None:
        so_far.known += 1
    elif there is not None:
        so_far.refuse(item_id, message("restore_line.just_deleted"))
    return there is not None


def _clear(table: DynamoTable, now: Slice, item_id: str, brought: RestoreWrites) -> None:
    """What one that was given up has written of another backup of the same item, and this one does not have; unless the
    item has come to life, and it is a person's."""
    mine = {write.key for write in brought.beside}
    left = [Write(key, "delete") for key in table.keys_of(keys.inside(now.owner, item_id)) if key not in mine]
    not_there = Write(keys.item(now.owner, item_id), "check", condition=ABSENT)
    for first in range(0, len(left), AT_ONCE):
        _write(table, now, not_there, *left[first : first + AT_ONCE])


def _write(table: DynamoTable, now: Slice, *steps: Move | Write) -> None:
    """Under the fence, whatever it is: who was overtaken writes nothing more."""
    holding = check(now.work.machine, "note", now.key, Change(params=now.fence))
    try:
        advance_all(table, holding, *steps)
    except Refused as refused:
        if refused.machine is now.work.machine:
            raise LeaseLost(str(refused)) from refused
        raise


class _Artifacts:
    """The lines of artifacts stand in the order of their items; so both files are read once, side by side."""

    def __init__(self, rest: Iterator[bytes]) -> None:
        self._rest = rest
        self._next: StoredArtifact | None = None

    def of(self, item: StoredItem) -> list[StoredArtifact]:
        found: list[StoredArtifact] = []
        while (ahead := self._ahead()) is not None and ahead.item <= item.id:
            if ahead.item == item.id:
                found.append(ahead)
            if len(found) > ARTIFACTS_MAX:
                raise IncompleteItem(message("restore_line.too_many_artifacts"))
            self._next = None
        return found

    def _ahead(self) -> StoredArtifact | None:
        while self._next is None:
            line = next(self._rest, None)
            if line is None:
                return None
            try:
                self._next = lines.artifact_of(line)
            except BadBackupLine:
                continue  # its item will be found not whole
        return self._next
