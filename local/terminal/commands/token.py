"""`readdo token`: create, list and revoke tokens."""

from collections.abc import Sequence

import click

from terminal import api, time_format
from terminal.command import TOKEN, verb
from terminal.failures import FAILED, CommandFailure, usage
from terminal.screen import Part, print_tabs
from terminal.session import Session, put_json
from terminal.words import Row

SCOPES = ("read", "write", "tokens")


@click.group("token")
def token() -> None:
    """Create, list and revoke tokens.

    A token gives a program or another machine access to Read→Do, limited by its scopes, until it expires.
    """


@verb("create")
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="Scope; repeatable.  [read, write]")
@click.option("--days", type=click.IntRange(1), help="Days until it expires.")
@click.pass_obj
def create(session: Session, name: str, scopes: tuple[str, ...], days: int | None) -> int:
    """Create a token and print it. It is shown only once."""
    body = {"name": name} | ({"scopes": list(scopes)} if scopes else {}) | ({"days": days} if days else {})
    response = session.api.post("/tokens", body)
    if session.json:
        put_json(response.raw)
        return 0
    created = response.data["token"]
    if not created.get("secret"):
        raise _secret_lost(created["id"], name)
    click.echo(created["secret"])
    expires_on = str(created.get("expires_at", ""))[:10]
    session.note(
        f"Save it now: it is not shown again. {created['id']}: {', '.join(created['scopes'])} until {expires_on}."
    )
    return 0


def _secret_lost(token_id: str, name: str) -> CommandFailure:
    """The API returns the secret once. If that response was lost, the retry has no secret."""
    return CommandFailure(
        "The token was created, but its secret was lost with the connection.",
        f"Revoke it and create another: readdo token revoke {token_id} && readdo token create {name!r}",
    )


@verb("list")
@click.pass_obj
def listed(session: Session) -> None:
    """List the tokens, without their secrets."""
    session.tell(session.api.get("/tokens"), lambda data: _show(session, data["tokens"]))


@verb("revoke")
@click.argument("token_id", metavar="TOKEN_ID", type=TOKEN)
@click.option("--yes", "-y", is_flag=True, help="Revoke without confirmation, even the token in use.")
@click.pass_obj
def revoke(session: Session, token_id: str, yes: bool) -> int:
    """Revoke a token. It may still work for up to a minute."""
    if not yes and _in_use(session, token_id):
        if not session.can_prompt:
            raise usage("This is the token in use. Without it you lose access here.", "To revoke it anyway: --yes")
        if not click.confirm("This is the token in use. Revoke it and lose access here?", default=False, err=True):
            session.note("Nothing was revoked.")
            return FAILED
    response = session.api.delete(api.at("tokens", token_id))
    session.tell(response, lambda _: session.note(f"Revoked: {token_id}. It may still work for up to a minute."))
    return 0


def _in_use(session: Session, token_id: str) -> bool:
    tokens = session.api.get("/tokens").data["tokens"]
    return any(token["id"] == token_id and token.get("current") for token in tokens)


def _show(session: Session, tokens: Sequence[Row]) -> None:
    rows: list[list[Part]] = []
    for row in tokens:
        texts = [str(row["id"]), str(row["name"]), ",".join(row.get("scopes", []))]
        current = "in use" if row.get("current") else ""
        if session.screen.columns is None:
            print_tabs([[*texts, str(row["expires_at"]), current]])
            continue
        at = time_format.read(row.get("expires_at"))
        soon = at is not None and (at - session.outside.now()).days < 14
        expires = (f"expires {time_format.day(row.get('expires_at'))}", "yellow" if soon else "")
        rows.append([(texts[0], "bold"), *texts[1:], expires, (current, "green")])
    session.screen.table(rows, fixed=1)


for each in (create, listed, revoke):
    token.add_command(each)
