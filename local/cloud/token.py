"""A token, made straight in the stack's table: whoever may write to the table may open the API."""

import re
import shlex

from pydantic import ValidationError

from cloud import stacks
from cloud.aws import account
from cloud.stack_location import Place
from readdo import clock
from readdo.store import tokens
from readdo.store.table import DynamoTable
from readdo.web.requests import NewToken
from terminal.failures import REFUSED, CommandFailure, usage
from terminal.session import Session

# It becomes part of keys, in which # parts one owner from what is hers.
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")


def run(session: Session, place: Place) -> None:
    environ = session.outside.environ
    owner = environ.get("OWNER") or "me"
    if not _OWNER.fullmatch(owner):
        raise usage(f"OWNER={owner} will not do.", "At most 64 letters, digits and . _ @ + -, a letter or digit first.")
    asked = _asked(environ.get("NAME") or "make token", environ.get("DAYS") or str(tokens.KEPT_DAYS))
    place = place.entered()
    where = account(place)
    stack = stacks.whole(place, where)
    table = DynamoTable(stack.outputs["TableName"])
    now = clock.now()
    if len(tokens.list_tokens(table, owner, now)) >= tokens.TOKENS_MAX:
        words = f"{owner} has {tokens.TOKENS_MAX} tokens already."
        raise CommandFailure(words, "Revoke one that is no longer used: readdo token revoke ID", exit_code=REFUSED)
    secret = tokens.issue(table, owner, asked.name, days=asked.days)
    until = clock.after(now, asked.days * 86_400)[:10]
    session.note(where.line)
    _tell(session, stack.outputs.get("ApiUrl", ""), secret, f"of the owner {owner}, good until {until}")


def _asked(name: str, days: str) -> NewToken:
    """Within the limits of the API's own call."""
    try:
        return NewToken(name=name, days=int(days) if days.isdecimal() else 0)
    except ValidationError as error:
        if error.errors()[0]["loc"] == ("days",):
            raise usage(f"DAYS={days} will not do.", "A whole number from 1 to 3650; a year if you say none.") from None
        raise usage(f"NAME={name} will not do.", "From 1 to 80 characters, on one line.") from None


def _tell(session: Session, url: str, secret: str, what: str) -> None:
    """The result alone is on stdout, so that a shell can take it: eval "$(make -s token)"."""
    notes, screen = session.notes, session.screen
    notes.paragraph(f"A token {what}. It is shown this once: the table keeps only its SHA-256.")
    notes.paragraph("For readdo and curl, in each terminal that shall know it:\n")
    if url:
        screen.line(f"export READDO_URL={shlex.quote(url)}")
    screen.line(f"export READDO_TOKEN={shlex.quote(secret)}")
    notes.paragraph("\nThen:")
    notes.line("  local/readdo doctor")
    notes.line('  curl -H "Authorization: Bearer $READDO_TOKEN" "$READDO_URL/items"')
