"""Data comes back after an accident: what is missing now and was there then. Nothing that is there is overwritten."""

from cloud import data, restore_copy, restore_files, restore_report, restore_scan, restore_source
from cloud.aws import Account, account
from cloud.confirmation import confirm
from cloud.failures import in_words
from cloud.restore_options import RestoreOptions
from cloud.restore_rows import Live
from cloud.restore_source import RestoreSource
from cloud.stack_location import Place
from terminal.failures import INTERRUPTED, CommandFailure
from terminal.session import Session


def run(session: Session, place: Place) -> None:
    asked = RestoreOptions.read(session.outside.environ, session.outside.now())
    place = place.entered()
    where = account(place)
    session.note(f"{where.line}\n")
    source = restore_source.find_source(place, asked, where)
    copy = restore_copy.name_of(source.table, asked.at)
    known = restore_copy.is_there(source.table, copy, place, asked.at)
    what = f"The stack {source.name}" if source.name != source.table else "The stack is gone, its table is kept"
    session.note(f"{what}.")
    restore_report.plan(session, asked, source, copy, known)
    confirm(session, "CONFIRM", source.name, "To put back what is missing")
    try:
        if not known:
            restore_copy.make(source.table, copy, asked.at)
        restore_copy.ready(session, copy)
        _put_back(session, asked, source, copy, where)
        if asked.clean:
            data.delete_table(session, copy)
        else:
            restore_report.copy_stays(session, place, copy)
    except (Exception, KeyboardInterrupt) as error:
        raise _broken_off(error, place.make("restore", **asked.said())) from error


def _put_back(session: Session, asked: RestoreOptions, source: RestoreSource, copy: str, where: Account) -> None:
    live = Live(source.table, asked.deleted, session.outside.now(), session.outside.sleep)
    tally = restore_scan.put_back(session, copy, live)
    files = None
    if source.bucket:
        files = restore_files.put_back(session, source.bucket, where.number, live, asked.at)
    restore_report.ending(session, asked, tally, files)


def _broken_off(error: BaseException, again: str) -> CommandFailure:
    if isinstance(error, KeyboardInterrupt):
        error = CommandFailure(
            "Interrupted. What was put back stays; a copy that AWS is making goes on.", exit_code=INTERRUPTED
        )
    failure = in_words(error, again)
    steps = [step for step in failure.next_steps if again not in step]
    goes_on = "The same command goes on where it broke off, and does nothing twice:"
    return CommandFailure(failure.message, *steps, goes_on, f"  {again}", exit_code=failure.exit_code)
