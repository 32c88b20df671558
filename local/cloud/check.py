"""Before a deploy: are there credentials, whose account is it, and may the stack be deployed at all?"""

from cloud import stacks
from cloud.aws import account
from cloud.confirmation import confirm
from cloud.stack_location import SETTINGS, Place
from terminal.failures import REFUSED, CommandFailure
from terminal.session import Session

# Stacks that CloudFormation will only delete.
_ONLY_DELETE = ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED")


def run(session: Session, place: Place) -> None:
    place = place.entered()
    where = account(place)
    stack = stacks.find(place.stack)
    session.note(where.line)
    if not place.deployed_before and not session.asks:
        raise CommandFailure(
            f"The first deploy asks for its settings, and there is no terminal to ask in ({SETTINGS} has none).",
            f"Run it once in a terminal; it keeps the answers in {SETTINGS}: {place.make('deploy')}",
            exit_code=REFUSED,
        )
    if stack is None or stack.status == stacks.NEVER_MADE:
        session.note(f"There is no stack {place.stack} here yet: this makes a new one, with a new and empty table.")
        confirm(session, "CONFIRM", where.number, "To deploy into this account")
        return
    stacks.refuse_if_changing(stack)
    if stack.status in _ONLY_DELETE:
        raise CommandFailure(
            f"The stack {stack.name} is {stack.status}; in that state it can only be deleted.",
            f"Delete it, then deploy again: {place.make('destroy')}",
            exit_code=REFUSED,
        )
    session.note(f"This updates the stack {stack.name}.")
