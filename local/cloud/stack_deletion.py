"""Delete a stack and wait until it is deleted."""

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
    """Delete the stack. Returns only when it is deleted, because the caller may delete its data next."""
    progress = ProgressLine(session)
    try:
        # By id: a new stack with the same name must not be deleted.
        client("cloudformation").delete_stack(StackName=stack.id)
        status = _wait(session, stack.id, progress)
    except KeyboardInterrupt:
        message = "Interrupted. AWS continues to delete the stack; the table and the bucket are kept."
        raise CommandFailure(
            message, f"To watch the deletion: {place.make('destroy')}", exit_code=INTERRUPTED
        ) from None
    finally:
        progress.clear()
    if status != _DELETED:
        raise _failed(stack, status, place)
    progress.done(f"Deleted the stack {stack.name}.")


def _wait(session: Session, stack_id: str, progress: ProgressLine) -> str:
    while True:
        stack = stacks.find(stack_id)
        if stack is None:
            return _DELETED
        if not stack.status.endswith("_IN_PROGRESS"):
            return stack.status
        resources = stacks.resources(stack_id)
        deleted = sum(r["ResourceStatus"] in _GONE for r in resources)
        progress.show(f"Deleting: {deleted} of {len(resources)} resources deleted")
        session.outside.sleep(_SECONDS)


def _failed(stack: Stack, status: str, place: Place) -> CommandFailure:
    failed = [r for r in stacks.resources(stack.id) if r["ResourceStatus"].endswith("_FAILED")]
    reasons = [f"{r['LogicalResourceId']}: {r.get('ResourceStatusReason') or 'no reason given'}" for r in failed]
    return CommandFailure(
        f"The stack could not be deleted ({status}). The table and the bucket are kept.",
        *reasons,
        f"Fix the cause, then run it again: {place.make('destroy')}",
    )
