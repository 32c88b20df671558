"""Make, list and revoke tokens."""

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
    """Make, list and revoke tokens.

    A token is what a program or another machine shows to be let in. It can do what its scopes allow, until it ends.
    """


@verb("create")
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="Read and write, if none is named.")
@click.option("--days", type=click.IntRange(1), help="How long it is good for.")
@click.pass_obj
def create(session: Session, name: str, scopes: tuple[str, ...], days: int | None) -> int:
    """Make a token and print it. It is shown this once, and never again."""
    body = {"name": name} | ({"scopes": list(scopes)} if scopes else {}) | ({"days": days} if days else {})
    answer = session.api.post("/tokens", body)
    if session.json:
        put_json(answer.raw)
        return 0
    token = answer.data["token"]
    if not token.get("secret"):
        raise _lost(token["id"], name)
    click.echo(token["secret"])
    until = str(token.get("expires_at", ""))[:10]
    session.note(f"Keep it now: it is not shown again. {token['id']} may {', '.join(token['scopes'])} until {until}.")
    return 0


def _lost(token_id: str, name: str) -> CommandFailure:
    """The API tells a secret once; a request that had to be repeated may have lost it on the way."""
    return CommandFailure(
        "The token was made, but the connection broke before its secret came here, and it is told only once.",
        f"Revoke it, and make another: readdo token revoke {token_id} && readdo token create {name!r}",
    )


@verb("list")
@click.pass_obj
def listed(session: Session) -> int:
    """The tokens there are, without their secrets."""
    from terminal import tokens  # noqa: PLC0415 - not for --help

    answer = session.api.get("/tokens")
    session.tell(answer, lambda data: tokens.show(session.screen, data["tokens"], session.outside.now()))
    return 0


@verb("revoke")
@click.argument("token_id", metavar="TOKEN_ID", shell_complete=lambda ctx, _param, begun: _offered(ctx, begun))
@click.option("--yes", "-y", is_flag=True, help="Do not ask, even for the token that is in use.")
@click.pass_obj
def revoke(session: Session, token_id: str, yes: bool) -> int:
    """End a token. It may still be taken for up to a minute, by who has just seen it."""
    from terminal import api  # noqa: PLC0415 - not for --help

    if not yes and _in_use(session, token_id):
        if not session.asks:
            raise usage("That is the token in use: without it nothing more can be done here.", "If so: add --yes")
        if not click.confirm("That is the token in use. End it, and be locked out here?", default=False, err=True):
            session.note("Nothing was revoked.")
            return FAILED
    answer = session.api.delete(api.at("tokens", token_id))
    if session.json:
        put_json(answer.raw)
    else:
        session.note(f"Revoked: {token_id}. It may still work for up to a minute.")
    return 0


def _in_use(session: Session, token_id: str) -> bool:
    tokens = session.api.get("/tokens").data["tokens"]
    return any(token["id"] == token_id and token.get("current") for token in tokens)


def _offered(ctx: click.Context, begun: str) -> "list[CompletionItem]":
    from terminal.complete import tokens  # noqa: PLC0415 - only at a press of the tab key

    return tokens(session_of(ctx), begun)


for each in (create, listed, revoke):
    command.add_command(each)
