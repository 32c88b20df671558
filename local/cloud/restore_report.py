"""What will be done, and what was: both in words."""

from cloud.restore_files import RestoredFiles
from cloud.restore_options import RestoreOptions, ago, stamp
from cloud.restore_rows import ALONE, BACK, COPIED, DELETED, LEFT, OVER
from cloud.restore_scan import RestoreTally
from cloud.restore_source import RestoreSource, aws
from cloud.stack_location import Place
from terminal.session import Session


def plan(session: Session, asked: RestoreOptions, source: RestoreSource, copy: str, known: bool) -> None:
    note = session.note
    note(f"What is missing comes back as it was at {stamp(asked.at)}, {ago(session.outside.now() - asked.at)}:")
    how = "there already, from an earlier try" if known else "AWS makes it, which takes minutes to tens of minutes"
    note(f"  1. A copy of the table as it was, beside it: {copy} ({how}).")
    note(f"  2. Rows that the table {source.table} lacks are put back. A row that is there stays as it is.")
    if source.bucket:
        note(f"  3. Files of living items, deleted since, are brought back in the bucket {source.bucket}.")
    else:
        note("  3. No files: there is no bucket, or it was not named (BUCKET=…).")
    if asked.clean:
        note("  4. The copy is deleted (CLEAN=yes).")
    if asked.deleted:
        note("\nItems that were deleted since come back too (DELETED=yes).")
    else:
        note(
            "\nItems deleted in the last twenty minutes stay deleted, unless you say DELETED=yes. An item deleted "
            "earlier, but since then, comes back: nothing tells it from one that was lost."
        )
    note("Tokens revoked since then come back and open the API again; you are told which.\n")


def ending(session: Session, asked: RestoreOptions, tally: RestoreTally, files: RestoredFiles | None) -> None:
    note, rows, items = session.note, tally.rows, tally.items
    note(f"\nRows put back: {rows[COPIED] + rows[BACK]:,}, of them {items[COPIED] + items[BACK]:,} items.")
    note(f"Left as they are: {rows[LEFT]:,}.")
    if items[BACK]:
        note(f"Deleted items brought back: {items[BACK]:,}.")
    if items[DELETED]:
        how = "" if asked.deleted else " (DELETED=yes brings back those that were not deleted yet then)"
        note(f"Deleted items left deleted: {items[DELETED]:,}{how}.")
    if rows[ALONE]:
        note(f"Not put back, for their item is not there: {rows[ALONE]:,}.")
    if rows[OVER]:
        note(f"Not put back, for their time is over: {rows[OVER]:,}.")
    if files:
        note(f"Files brought back: {files.back:,}.")
        if files.gone:
            note(f"Files lost for good: {files.gone:,}. The bucket no longer keeps them (OldVersionDays).")
    else:
        note("No files were looked for.")
    if tally.begun:
        note(
            f"\n{tally.begun:,} items were waiting or being read at that time, and are due since then: the heartbeat "
            "takes them up within minutes, under new leases."
        )
    if tally.tokens:
        note("\nThese tokens are back, among them those that were revoked since. Revoke what shall not be:")
        for line in tally.tokens:
            session.notes.line(f"  {line}")
        session.notes.line("  readdo token revoke ID")


def copy_stays(session: Session, place: Place, copy: str) -> None:
    session.note(f"\nThe copy {copy} is kept, and costs as the table does. To delete it:")
    session.notes.line(f"  {aws(place, 'delete-table', copy)}")
