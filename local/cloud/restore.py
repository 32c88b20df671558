"""Restore missing data from a point in time. Existing data is never overwritten."""

from cloud import data, restore_copy, restore_files, restore_report, restore_scan, restore_source
from cloud.aws import Account, account
from cloud.confirmation import confirm
from cloud.failures import to_failure
from cloud.restore_options import RestoreOptions
from cloud.restore_rows import Live
from cloud.restore_source import RestoreSource
from cloud.stack_location import Place
from terminal.failures import INTERRUPTED, CommandFailure
from terminal.session import Session


def run(session: Session, place: Place) -> None:
    options = RestoreOptions.read(session.outside.environ, session.outside.now())
    place = place.entered()
    where = account(place)
    session.note(f"{where.line}\n")
    source = restore_source.find_source(place, options, where)
    copy = restore_copy.name_of(source.table, options.at)
    copy_exists = restore_copy.exists(source.table, copy, place, options.at)
    what = f"Stack {source.name}" if source.name != source.table else "The stack is deleted; its table is kept"
    session.note(f"{what}.")
    restore_report.plan(session, options, source, copy, copy_exists)
    confirm(session, "CONFIRM", source.name, "To restore the missing data")
    try:
        if not copy_exists:
            restore_copy.make(source.table, copy, options.at)
        restore_copy.ready(session, copy)
        _put_back(session, options, source, copy, where)
        if options.clean:
            data.delete_table(session, copy)
        else:
            restore_report.copy_stays(session, place, copy)
    except (Exception, KeyboardInterrupt) as error:
        raise _interrupted(error, place.make("restore", **options.variables())) from error


def _put_back(session: Session, options: RestoreOptions, source: RestoreSource, copy: str, where: Account) -> None:
    live = Live(source.table, options.deleted, session.outside.now(), session.outside.sleep)
    tally = restore_scan.put_back(session, copy, live)
    files = None
    if source.bucket:
        files = restore_files.put_back(session, source.bucket, where.number, live, options.at)
    restore_report.ending(session, options, tally, files)


def _interrupted(error: BaseException, again: str) -> CommandFailure:
    if isinstance(error, KeyboardInterrupt):
        error = CommandFailure(
            "Interrupted. Restored data stays, and AWS continues to create the copy.", exit_code=INTERRUPTED
        )
    failure = to_failure(error, again)
    steps = [step for step in failure.next_steps if again not in step]
    goes_on = "To continue, run the same command again:"
    return CommandFailure(failure.message, *steps, goes_on, f"  {again}", exit_code=failure.exit_code)
