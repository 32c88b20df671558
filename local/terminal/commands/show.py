"""`readdo show`: show an item."""

from typing import Any

import click

from terminal import names
from terminal.command import item_argument, verb
from terminal.failures import missing
from terminal.session import Session, put_json

PARTS = ("summary", "score", "todos", "card", "extraction")


@verb("show")
@item_argument
@click.option("--only", type=click.Choice(PARTS), help="Show only this part.")
@click.option("--version", type=click.IntRange(1), metavar="N", help="With --only: show this version.")
@click.option("--history", is_flag=True, help="Show the item's history too.")
@click.option("--versions", is_flag=True, help="List all versions too.")
@click.pass_obj
def command(session: Session, name: str, only: str | None, version: int | None, history: bool, versions: bool) -> None:
    """Show an item: intent, summary, score, todos, card, and the next commands."""
    if version and not only:
        raise click.UsageError("--version needs --only, for example: --only summary --version 2")
    from terminal import api  # noqa: PLC0415 - not for --help

    item_id = names.find(session.api, name)
    if only and version:
        response = session.api.get(api.item(item_id, "artifacts", only, str(version)))
        session.tell(response, lambda data: _show_part(session, only, data["artifact"]))
        return
    parameters = {"include_history": "true" if history else None, "versions": "true" if versions else None}
    response = session.api.get(api.item(item_id), parameters)
    if only:
        if only not in response.data.get("artifacts", {}):
            status = response.data["item"]["status"]
            raise missing(f"This item has no {only} yet: it is {status}.", f"Show the item: readdo show {name}")
        if session.json:
            put_json(response.raw["artifacts"][only])
        else:
            _show_part(session, only, response.data["artifacts"][only])
        return
    session.tell(response, lambda data: _show_item(session, data))


def _show_part(session: Session, name: str, artifact: dict[str, Any]) -> None:
    from terminal import detail, results_output  # noqa: PLC0415 - not for --json

    detail.part(session.screen, name, artifact)
    if name == "card":
        results_output.caption(session.screen, artifact["payload"])


def _show_item(session: Session, data: dict[str, Any]) -> None:
    from terminal import detail, history  # noqa: PLC0415 - the same

    detail.show(session.screen, data, session.outside.now())
    if "history" in data:
        history.history(session.screen, data["history"])
    if "versions" in data:
        history.versions(session.screen, data["versions"])
