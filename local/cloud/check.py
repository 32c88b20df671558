"""Checks before a deploy: credentials, account, and the state of the stack."""

from cloud import stacks
from cloud.aws import account
from cloud.confirmation import confirm
from cloud.stack_location import SETTINGS, Place
from terminal.failures import REFUSED, CommandFailure
from terminal.session import Session

# In these states CloudFormation allows only deletion.
_ONLY_DELETE = ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED")


def run(session: Session, place: Place) -> None:
    place = place.entered()
    where = account(place)
    stack = stacks.find(place.stack)
    session.note(where.line)
    if not place.deployed_before and not session.can_prompt:
        raise CommandFailure(
            f"The first deploy asks for settings, which are not in {SETTINGS}, and there is no terminal.",
            f"Run it once in a terminal; your answers are saved in {SETTINGS}: {place.make('deploy')}",
            exit_code=REFUSED,
        )
    if stack is None or stack.status == stacks.NEVER_MADE:
        session.note(f"The stack {place.stack} does not exist yet. It will be created with a new, empty table.")
        confirm(session, "CONFIRM", where.number, "To deploy into this account")
        return
    stacks.refuse_if_changing(stack)
    if stack.status in _ONLY_DELETE:
        raise CommandFailure(
            f"The stack {stack.name} is {stack.status} and can only be deleted.",
            f"Delete it, then deploy again: {place.make('destroy')}",
            exit_code=REFUSED,
        )
    session.note(f"The stack {stack.name} will be updated.")
