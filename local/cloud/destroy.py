"""The stack goes; its table and its bucket stay, unless it is told twice that they are to go too."""

from cloud import data, retained_data, stack_deletion, stacks
from cloud.aws import account
from cloud.confirmation import confirm
from cloud.failures import in_words
from cloud.retained_data import RetainedData
from cloud.stack_location import Place
from cloud.stacks import Stack
from terminal.failures import CommandFailure, missing, usage
from terminal.session import Session


def run(session: Session, place: Place) -> None:
    environ = session.outside.environ
    told = RetainedData(environ.get("TABLE", ""), environ.get("BUCKET", ""))
    wanted = environ.get("DATA", "")
    if wanted not in ("", "keep", "delete"):
        raise usage(f"DATA={wanted} means nothing.", "DATA=delete deletes the table and the bucket too.")
    place = place.entered()
    where = account(place)
    stack = stacks.find(place.stack)
    session.note(f"{where.line}\n")
    found = _found(place, stack, told, where.short)
    with_data = wanted == "delete"
    if not stack and not found:
        session.note("Nothing is left to delete: what you named is gone.")
        return
    _plan(session, stack, found, with_data)
    if stack:
        confirm(session, "CONFIRM", stack.name, "To delete this stack")
    if with_data and found:
        what = "the table and all in it" if found.table else "the bucket and all in it"
        confirm(session, "CONFIRM_DATA", found.table or found.bucket, f"To delete {what}, for good")
    if stack:
        stack_deletion.delete(session, stack, place)
    if with_data and found:
        _delete(session, place, found, where.number)
    elif found:
        _stays(session, place, found)


def _found(place: Place, stack: Stack | None, told: RetainedData, where: str) -> RetainedData:
    if stack:
        if stack.status != stacks.DELETING:
            stacks.refuse_if_changing(stack)
        return retained_data.still_there(retained_data.of_stack(stack.id).agreeing(told))
    if told:
        return retained_data.checked(told, place.root)
    former = stacks.former(place.stack)
    left = retained_data.still_there(retained_data.of_stack(former)) if former else RetainedData("", "")
    if not left:
        raise missing(
            f"There is no stack {place.stack} in {where}.",
            "Say where it is: STACK=name REGION=… AWS_PROFILE=…",
            f"Or what it left behind: {place.make('destroy', DATA='delete')} TABLE=name BUCKET=name",
        )
    raise missing(
        f"The stack {place.stack} is gone already. The last one of that name left behind:",
        *left.lines(),
        "To delete that for good:",
        f"  {again(place, left)}",
    )


def again(place: Place, left: RetainedData) -> str:
    return place.make("destroy", DATA="delete", TABLE=left.table, BUCKET=left.bucket)


def _plan(session: Session, stack: Stack | None, found: RetainedData, with_data: bool) -> None:
    if stack:
        names = (found.table, found.bucket)
        count = len([r for r in stacks.resources(stack.id) if r.get("PhysicalResourceId") not in names])
        session.note(f"Goes: the stack {stack.name}: {count} resources (functions, workflows, the API, their rights).")
    if found:
        goes = "Goes as well, for good:" if stack else "Goes, for good:"
        session.note(goes if with_data else "Stays, with all that is in it:")
        for line in found.lines():
            session.notes.line(f"  {line}")
    session.note("")


def _delete(session: Session, place: Place, found: RetainedData, number: str) -> None:
    try:
        if found.bucket:
            data.delete_bucket(session, found.bucket, number)
        if found.table:
            data.delete_table(session, found.table)
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt):
            error = CommandFailure("Interrupted: not all of the data is deleted.", exit_code=130)
        failure = in_words(error)
        steps = [*failure.next_steps, "What is left goes by:", f"  {again(place, found)}"]
        raise CommandFailure(failure.message, *steps, exit_code=failure.exit_code) from error
    last = " DynamoDB keeps a last backup of the table for 35 days, free of charge." if found.table else ""
    session.note(f"\nAll of it is gone.{last}")
    session.note(
        "Not the stack's, so still there if you made them: the model's key in SSM, and SAM's own bucket of built code."
    )


def _stays(session: Session, place: Place, left: RetainedData) -> None:
    session.note("\nKept, and unknown to any new deploy, which starts with a table of its own:")
    for line in left.lines():
        session.notes.line(f"  {line}")
    session.note("They cost by what is in them: per GB and month about $0.50 (table) and $0.03 (bucket).")
    session.note("To delete them for good:")
    session.notes.line(f"  {again(place, left)}")
