"""`readdo imports`: list, pause, resume and cancel imports."""

import click

from terminal.command import verb
from terminal.session import Session


@click.group("imports", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List, pause, resume or cancel imports."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(listed)


@verb("list")
@click.pass_obj
def listed(session: Session) -> int:
    """List all imports, newest first."""
    from terminal import import_upload  # noqa: PLC0415 - not for --help

    response = session.api.get("/imports")

    def show(data: dict[str, object]) -> None:
        imports = data["imports"]
        for one in imports if isinstance(imports, list) else []:
            session.screen.line(f"{one['id']}  {import_upload.describe(one)}")
            if one.get("failure"):
                session.screen.paragraph(str(one["failure"].get("message", "")), "red", first="  ")

    session.tell(response, show)
    return 0


def _move(action: str, does: str) -> click.Command:
    @verb(action, help=does)
    @click.argument("import_id", metavar="ID")
    @click.pass_obj
    def move(session: Session, import_id: str) -> int:
        from terminal import import_upload  # noqa: PLC0415 - not for --help
        from terminal.api import at  # noqa: PLC0415 - the same

        response = session.api.post(at("imports", import_id, action))
        session.tell(response, lambda data: session.screen.line(import_upload.describe(data["import"])))
        return 0

    return move


command.add_command(listed)
for action, does in (
    ("pause", "Pause an import. Lines in progress are finished."),
    ("resume", "Resume an import after a pause or a failure."),
    ("cancel", "Cancel an import. Imported items stay."),
):
    command.add_command(_move(action, does))
