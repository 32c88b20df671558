"""The end of a stack, watched."""

from cloud import stacks
from cloud.aws import client
from cloud.progress import ProgressLine
from cloud.stack_location import Place
from cloud.stacks import Stack
from terminal.failures import INTERRUPTED, CommandFailure
from terminal.session import Session

_DELETED = "DELETE_COMPLETE"
_GONE = (_DELETED, "DELETE_SKIPPED")
_SECONDS = 3


def delete(session: Session, stack: Stack, place: Place) -> None:
    """Returns only if the stack is gone: what comes after may delete its data."""
    progress = ProgressLine(session)
    try:
        # By its id: a stack of the same name, made meanwhile, would be another one.
        client("cloudformation").delete_stack(StackName=stack.id)
        status = _ended(session, stack.id, progress)
    except KeyboardInterrupt:
        words = "Interrupted. AWS goes on deleting the stack; its table and bucket are not touched."
        raise CommandFailure(words, f"To watch it again: {place.make('destroy')}", exit_code=INTERRUPTED) from None
    finally:
        progress.clear()
    if status != _DELETED:
        raise _failed(stack, status, place)
    progress.done(f"The stack {stack.name} is deleted.")


def _ended(session: Session, stack_id: str, progress: ProgressLine) -> str:
    while True:
        now = stacks.find(stack_id)
        if now is None:
            return _DELETED
        if not now.status.endswith("_IN_PROGRESS"):
            return now.status
        found = stacks.resources(stack_id)
        gone = sum(r["ResourceStatus"] in _GONE for r in found)
        progress.show(f"Deleting: {gone} of {len(found)} resources are gone")
        session.outside.sleep(_SECONDS)


def _failed(stack: Stack, status: str, place: Place) -> CommandFailure:
    failed = [r for r in stacks.resources(stack.id) if r["ResourceStatus"].endswith("_FAILED")]
    reasons = [f"{r['LogicalResourceId']}: {r.get('ResourceStatusReason') or 'no reason given'}" for r in failed]
    return CommandFailure(
        f"The stack could not be deleted ({status}). Its table and bucket were not touched.",
        *reasons,
        f"Put that right, then it goes on: {place.make('destroy')}",
    )
