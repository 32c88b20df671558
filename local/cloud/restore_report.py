"""Print the plan and the result of a restore."""

from cloud.restore_files import RestoredFiles
from cloud.restore_options import RestoreOptions, ago, stamp
from cloud.restore_rows import ALONE, BACK, COPIED, DELETED, LEFT, OVER
from cloud.restore_scan import RestoreTally
from cloud.restore_source import RestoreSource, aws
from cloud.stack_location import Place
from terminal.session import Session


def plan(session: Session, options: RestoreOptions, source: RestoreSource, copy: str, copy_exists: bool) -> None:
    note = session.note
    note(f"Missing data is restored as of {stamp(options.at)}, {ago(session.outside.now() - options.at)}:")
    how = "it exists from an earlier try" if copy_exists else "AWS creates it, which takes minutes to tens of minutes"
    note(f"  1. A copy of the table as of that time: {copy} ({how}).")
    note(f"  2. Rows missing in the table {source.table} are restored. Existing rows are not changed.")
    if source.bucket:
        note(f"  3. Deleted files of existing items are restored in the bucket {source.bucket}.")
    else:
        note("  3. No files: there is no bucket, or BUCKET is not set.")
    if options.clean:
        note("  4. The copy is deleted (CLEAN=yes).")
    if options.deleted:
        note("\nItems deleted since then are restored too (DELETED=yes).")
    else:
        note(
            "\nItems deleted in the last twenty minutes stay deleted; DELETED=yes restores them too. Items deleted "
            "earlier, but after that time, are restored: they look like lost items."
        )
    note("Tokens revoked since then are restored and valid again. They are listed at the end.\n")


def ending(session: Session, options: RestoreOptions, tally: RestoreTally, files: RestoredFiles | None) -> None:
    note, rows, items = session.note, tally.rows, tally.items
    note(f"\nRows restored: {rows[COPIED] + rows[BACK]:,}, of them {items[COPIED] + items[BACK]:,} items.")
    note(f"Existing rows, not changed: {rows[LEFT]:,}.")
    if items[BACK]:
        note(f"Deleted items restored: {items[BACK]:,}.")
    if items[DELETED]:
        how = "" if options.deleted else " (DELETED=yes restores those that were not yet deleted at that time)"
        note(f"Deleted items, not restored: {items[DELETED]:,}{how}.")
    if rows[ALONE]:
        note(f"Not restored, because their item does not exist: {rows[ALONE]:,}.")
    if rows[OVER]:
        note(f"Not restored, because they have expired: {rows[OVER]:,}.")
    if files:
        note(f"Files restored: {files.back:,}.")
        if files.expired:
            note(f"Files lost: {files.expired:,}. Their old versions have expired in the bucket (OldVersionDays).")
    else:
        note("Files were not restored.")
    if tally.unfinished:
        note(
            f"\n{tally.unfinished:,} items were waiting or processing at that time. They are processed within minutes, "
            "with new leases."
        )
    if tally.tokens:
        note("\nThese tokens are restored, even if they were revoked since then. Revoke those you do not want:")
        for line in tally.tokens:
            session.notes.line(f"  {line}")
        session.notes.line("  readdo token revoke ID")


def copy_stays(session: Session, place: Place, copy: str) -> None:
    session.note(f"\nThe copy {copy} is kept and costs as much as the table. To delete it:")
    session.notes.line(f"  {aws(place, 'delete-table', copy)}")
