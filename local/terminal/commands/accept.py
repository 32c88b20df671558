"""`readdo accept`: turn an item's todos into tasks."""

import click

from terminal.command import ITEM, verb
from terminal.desk.words import PRIORITIES
from terminal.session import Session


@verb("accept")
@click.argument("name", metavar="ID", type=ITEM)
@click.argument("numbers", metavar="N…", type=click.IntRange(1, 99), nargs=-1, required=True)
@click.option("--priority", type=click.Choice(PRIORITIES, case_sensitive=False), help="Instead of the todo's own.")
@click.pass_obj
def command(session: Session, name: str, numbers: tuple[int, ...], priority: str | None) -> int:
    """Turn an item's todos into tasks, by the numbers from `readdo show ID --only todos`.

    Accepting a todo again returns the same task.
    """
    from terminal.desk import todo_acceptance  # noqa: PLC0415 - not for --help

    return todo_acceptance.accept(session, name, numbers, priority)
