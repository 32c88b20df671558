"""What was made of an item."""

from typing import Any

import click

from terminal import names
from terminal.command import item_argument, verb
from terminal.failures import missing
from terminal.session import Session, put_json

PARTS = ("summary", "score", "todos", "card", "extraction")


@verb("show")
@item_argument
@click.option("--only", type=click.Choice(PARTS), help="Only this of it.")
@click.option("--version", type=click.IntRange(1), metavar="N", help="With --only: this version of it.")
@click.option("--history", is_flag=True, help="With every move it made.")
@click.option("--versions", is_flag=True, help="With every version there is.")
@click.pass_obj
def command(session: Session, name: str, only: str | None, version: int | None, history: bool, versions: bool) -> None:
    """What was made of an item: why it was saved, summary, score, todos, card; and what may be done next."""
    if version and not only:
        raise click.UsageError("--version needs to know of what: --only summary --version 2")
    from terminal import api  # noqa: PLC0415 - not for --help

    item_id = names.find(session.api, name)
    if only and version:
        answer = session.api.get(api.item(item_id, "artifacts", only, str(version)))
        session.tell(answer, lambda data: _part(session, only, data["artifact"]))
        return
    asked = {"include_history": "true" if history else None, "versions": "true" if versions else None}
    answer = session.api.get(api.item(item_id), asked)
    if only:
        if only not in answer.data.get("artifacts", {}):
            status = answer.data["item"]["status"]
            raise missing(f"This item has no {only}: it is {status}.", f"What it has: readdo show {name}")
        if session.json:
            put_json(answer.raw["artifacts"][only])
        else:
            _part(session, only, answer.data["artifacts"][only])
        return
    session.tell(answer, lambda data: _whole(session, data))


def _part(session: Session, name: str, artifact: dict[str, Any]) -> None:
    from terminal import act, detail  # noqa: PLC0415 - not for JSON

    detail.part(session.screen, name, artifact)
    if name == "card":
        act.caption(session.screen, artifact["payload"])


def _whole(session: Session, data: dict[str, Any]) -> None:
    from terminal import detail, history  # noqa: PLC0415 - the same

    detail.show(session.screen, data, session.outside.now())
    if "history" in data:
        history.history(session.screen, data["history"])
    if "versions" in data:
        history.versions(session.screen, data["versions"])
