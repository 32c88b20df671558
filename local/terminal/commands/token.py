"""`readdo token`: create, list and revoke tokens."""

from typing import TYPE_CHECKING

import click

from terminal.command import session_of, verb
from terminal.failures import FAILED, CommandFailure, usage
from terminal.session import Session, put_json

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SCOPES = ("read", "write", "tokens")


@click.group("token")
def command() -> None:
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
    token = response.data["token"]
    if not token.get("secret"):
        raise _secret_lost(token["id"], name)
    click.echo(token["secret"])
    expires_on = str(token.get("expires_at", ""))[:10]
    session.note(f"Save it now: it is not shown again. {token['id']}: {', '.join(token['scopes'])} until {expires_on}.")
    return 0


def _secret_lost(token_id: str, name: str) -> CommandFailure:
    """The API returns the secret once. If that response was lost, the retry has no secret."""
    return CommandFailure(
        "The token was created, but its secret was lost with the connection.",
        f"Revoke it and create another: readdo token revoke {token_id} && readdo token create {name!r}",
    )


@verb("list")
@click.pass_obj
def listed(session: Session) -> int:
    """List the tokens, without their secrets."""
    from terminal import tokens  # noqa: PLC0415 - not for --help

    response = session.api.get("/tokens")
    session.tell(response, lambda data: tokens.show(session.screen, data["tokens"], session.outside.now()))
    return 0


@verb("revoke")
@click.argument("token_id", metavar="TOKEN_ID", shell_complete=lambda ctx, _param, prefix: _complete_token(ctx, prefix))
@click.option("--yes", "-y", is_flag=True, help="Revoke without confirmation, even the token in use.")
@click.pass_obj
def revoke(session: Session, token_id: str, yes: bool) -> int:
    """Revoke a token. It may still work for up to a minute."""
    from terminal import api  # noqa: PLC0415 - not for --help

    if not yes and _in_use(session, token_id):
        if not session.can_prompt:
            raise usage("This is the token in use. Without it you lose access here.", "To revoke it anyway: --yes")
        if not click.confirm("This is the token in use. Revoke it and lose access here?", default=False, err=True):
            session.note("Nothing was revoked.")
            return FAILED
    response = session.api.delete(api.at("tokens", token_id))
    if session.json:
        put_json(response.raw)
    else:
        session.note(f"Revoked: {token_id}. It may still work for up to a minute.")
    return 0


def _in_use(session: Session, token_id: str) -> bool:
    tokens = session.api.get("/tokens").data["tokens"]
    return any(token["id"] == token_id and token.get("current") for token in tokens)


def _complete_token(ctx: click.Context, prefix: str) -> "list[CompletionItem]":
    from terminal.complete import tokens  # noqa: PLC0415 - only for tab completion

    return tokens(session_of(ctx), prefix)


for each in (create, listed, revoke):
    command.add_command(each)
