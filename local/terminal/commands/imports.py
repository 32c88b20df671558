"""How imports stand, and to pause, resume and cancel them."""

import click

from terminal.command import verb
from terminal.session import Session


@click.group("imports", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """How imports stand, and to pause, resume and cancel them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(listed)


@verb("list")
@click.pass_obj
def listed(session: Session) -> int:
    """All of them, newest first."""
    from terminal import import_upload  # noqa: PLC0415 - not for --help

    answer = session.api.get("/imports")

    def show(data: dict[str, object]) -> None:
        found = data["imports"]
        for one in found if isinstance(found, list) else []:
            session.screen.line(f"{one['id']}  {import_upload.describe(one)}")
            if one.get("failure"):
                session.screen.paragraph(str(one["failure"].get("message", "")), "red", first="  ")

    session.tell(answer, show)
    return 0


def _move(action: str, does: str) -> click.Command:
    @verb(action, help=does)
    @click.argument("import_id", metavar="ID")
    @click.pass_obj
    def move(session: Session, import_id: str) -> int:
        from terminal import import_upload  # noqa: PLC0415 - not for --help
        from terminal.api import at  # noqa: PLC0415 - the same

        answer = session.api.post(at("imports", import_id, action))
        session.tell(answer, lambda data: session.screen.line(import_upload.describe(data["import"])))
        return 0

    return move


command.add_command(listed)
for action, does in (
    ("pause", "Begin no more lines; what is under way goes on."),
    ("resume", "Go on, after a pause or a failure."),
    ("cancel", "End it. What was brought in stays."),
):
    command.add_command(_move(action, does))
