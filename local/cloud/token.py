"""Create an API token directly in the stack's table, with the user's AWS permissions."""

import re
import shlex

from pydantic import ValidationError

from cloud import stacks
from cloud.aws import account
from cloud.stack_location import Place
from readdo import clock
from readdo.account.requests import NewToken
from readdo.store import tokens
from readdo.store.table import DynamoTable
from terminal.failures import REFUSED, CommandFailure, usage
from terminal.session import Session

# The owner is part of the table's keys, in which # is the separator.
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")


def run(session: Session, place: Place) -> None:
    environ = session.outside.environ
    owner = environ.get("OWNER") or "me"
    if not _OWNER.fullmatch(owner):
        raise usage(
            f"OWNER={owner} is not valid.", "Use up to 64 letters, digits and . _ @ + -, with a letter or digit first."
        )
    request = _validate(environ.get("NAME") or "make token", environ.get("DAYS") or str(tokens.KEPT_DAYS))
    place = place.entered()
    where = account(place)
    stack = stacks.usable(place, where)
    table = DynamoTable(stack.outputs["TableName"])
    now = clock.now()
    if len(tokens.list_tokens(table, owner, now)) >= tokens.TOKENS_MAX:
        message = f"{owner} already has {tokens.TOKENS_MAX} tokens, the maximum."
        raise CommandFailure(message, "Revoke an unused token: readdo token revoke ID", exit_code=REFUSED)
    secret = tokens.issue(table, owner, request.name, days=request.days)
    expires_on = clock.after(now, request.days * 86_400)[:10]
    session.note(where.line)
    _print_token(session, stack.outputs.get("ApiUrl", ""), secret, f"for {owner}, valid until {expires_on}")


def _validate(name: str, days: str) -> NewToken:
    """Validate name and days with the limits of the API."""
    try:
        return NewToken(name=name, days=int(days) if days.isdecimal() else 0)
    except ValidationError as error:
        if error.errors()[0]["loc"] == ("days",):
            raise usage(f"DAYS={days} is not valid.", "Use a whole number from 1 to 3650. Default: 365.") from None
        raise usage(f"NAME={name} is not valid.", "Use 1 to 80 characters in one line.") from None


def _print_token(session: Session, url: str, secret: str, what: str) -> None:
    """Print only the export lines to stdout, so that a shell can run them: eval "$(make -s token)"."""
    notes, screen = session.notes, session.screen
    notes.paragraph(f"Token {what}. It is shown only once: the table stores its SHA-256 hash.")
    notes.paragraph("To use it with readdo and curl, run in your terminal:\n")
    if url:
        screen.line(f"export READDO_URL={shlex.quote(url)}")
    screen.line(f"export READDO_TOKEN={shlex.quote(secret)}")
    notes.paragraph("\nThen try:")
    notes.line("  local/readdo doctor")
    notes.line('  curl -H "Authorization: Bearer $READDO_TOKEN" "$READDO_URL/items"')
