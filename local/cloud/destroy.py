"""Delete the stack. The table and the bucket are kept, unless the user confirms twice to delete them."""

from cloud import data, retained_data, stack_deletion, stacks
from cloud.aws import account
from cloud.confirmation import confirm
from cloud.failures import to_failure
from cloud.retained_data import RetainedData
from cloud.stack_location import Place
from cloud.stacks import Stack
from terminal.failures import CommandFailure, missing, usage
from terminal.session import Session


def run(session: Session, place: Place) -> None:
    environ = session.outside.environ
    named = RetainedData(environ.get("TABLE", ""), environ.get("BUCKET", ""))
    data_option = environ.get("DATA", "")
    if data_option not in ("", "keep", "delete"):
        raise usage(f"DATA={data_option} is not valid.", "Use DATA=delete to delete the table and the bucket too.")
    place = place.entered()
    account_info = account(place)
    stack = stacks.find(place.stack)
    session.note(f"{account_info.line}\n")
    retained = _find_retained(place, stack, named, account_info.short)
    with_data = data_option == "delete"
    if not stack and not retained:
        session.note("Nothing to delete: the table and the bucket no longer exist.")
        return
    _print_plan(session, stack, retained, with_data)
    if stack:
        confirm(session, "CONFIRM", stack.name, "To delete this stack")
    if with_data and retained:
        what = "the table and all its data" if retained.table else "the bucket and all its data"
        confirm(session, "CONFIRM_DATA", retained.table or retained.bucket, f"To delete {what} permanently")
    if stack:
        stack_deletion.delete(session, stack, place)
    if with_data and retained:
        _delete_data(session, place, retained, account_info.number)
    elif retained:
        _print_kept(session, place, retained)


def _find_retained(place: Place, stack: Stack | None, named: RetainedData, where: str) -> RetainedData:
    if stack:
        if stack.status != stacks.DELETING:
            stacks.refuse_if_changing(stack)
        return retained_data.existing(retained_data.of_stack(stack.id).require_match(named))
    if named:
        return retained_data.validate(named, place.root)
    stack_id = stacks.last_deleted(place.stack)
    remaining = retained_data.existing(retained_data.of_stack(stack_id)) if stack_id else RetainedData("", "")
    if not remaining:
        raise missing(
            f"The stack {place.stack} was not found in {where}.",
            "Set its location: STACK=name REGION=… AWS_PROFILE=…",
            f"To delete its remaining data: {place.make('destroy', DATA='delete')} TABLE=name BUCKET=name",
        )
    raise missing(
        f"The stack {place.stack} is already deleted. Its remaining data:",
        *remaining.lines(),
        "To delete the data permanently:",
        f"  {delete_command(place, remaining)}",
    )


def delete_command(place: Place, remaining: RetainedData) -> str:
    return place.make("destroy", DATA="delete", TABLE=remaining.table, BUCKET=remaining.bucket)


def _print_plan(session: Session, stack: Stack | None, retained: RetainedData, with_data: bool) -> None:
    if stack:
        names = (retained.table, retained.bucket)
        count = len([r for r in stacks.resources(stack.id) if r.get("PhysicalResourceId") not in names])
        session.note(f"Will be deleted: the stack {stack.name}: {count} resources (functions, workflows, API, roles).")
    if retained:
        deleted = "Will be deleted too, permanently:" if stack else "Will be deleted permanently:"
        session.note(deleted if with_data else "Will be kept, with all data:")
        for line in retained.lines():
            session.notes.line(f"  {line}")
    session.note("")


def _delete_data(session: Session, place: Place, retained: RetainedData, number: str) -> None:
    try:
        if retained.bucket:
            data.delete_bucket(session, retained.bucket, number)
        if retained.table:
            data.delete_table(session, retained.table)
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt):
            error = CommandFailure("Interrupted. Not all data is deleted.", exit_code=130)
        failure = to_failure(error)
        steps = [*failure.next_steps, "To delete the rest:", f"  {delete_command(place, retained)}"]
        raise CommandFailure(failure.message, *steps, exit_code=failure.exit_code) from error
    last = " DynamoDB keeps a last backup of the table for 35 days, free of charge." if retained.table else ""
    session.note(f"\nEverything is deleted.{last}")
    session.note("Not part of the stack, so not deleted: the model key in SSM, and SAM's bucket with the builds.")


def _print_kept(session: Session, place: Place, remaining: RetainedData) -> None:
    session.note("\nKept. A new deploy does not use them; it creates a new table and bucket:")
    for line in remaining.lines():
        session.notes.line(f"  {line}")
    session.note("Cost per GB and month: about $0.50 (table) and $0.03 (bucket).")
    session.note("To delete them permanently:")
    session.notes.line(f"  {delete_command(place, remaining)}")
