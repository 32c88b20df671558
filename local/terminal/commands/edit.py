"""Change what is shown, or why you saved it."""

from typing import Any

import click

from terminal import names
from terminal.command import item_argument, verb
from terminal.session import Session, put_json

KINDS = ("intent", "title", "language", "profile", "content", "summary", "todos", "card")
MADE = ("summary", "todos", "card")


@verb("edit")
@item_argument
@click.argument("what", type=click.Choice(KINDS), default="summary")
@click.option("--as-json", is_flag=True, help="All of it, evidence too, as JSON.")
@click.option("--from", "source", metavar="FILE|-", help="Send this text, without an editor.")
@click.option("--undo", is_flag=True, help="Drop your versions: the system's is shown again.")
@click.pass_obj
def command(session: Session, name: str, what: str, as_json: bool, source: str | None, undo: bool) -> int:
    """Change what is shown, or why you saved it.

    Opens your editor ($VISUAL or $EDITOR) on the summary, or on what you name: intent, title, language, profile,
    content, todos, card. A text that is left as it is is not sent, and one that is refused is never lost.
    """
    from terminal.editing.sending import Edit, text_of  # noqa: PLC0415 - not for --help

    if what not in MADE and (as_json or undo):
        raise click.UsageError(f"--as-json and --undo are for {', '.join(MADE)}.")
    item_id = names.find(session.api, name)
    if undo:
        return _undo(session, item_id, what)
    edit = Edit(session, item_id, what, as_json=as_json)
    answer = edit.from_text(text_of(source)) if source else edit.by_hand()
    if answer is None:
        session.note("Nothing was changed, so nothing was sent.")
        if session.json:
            put_json(None)
        return 0
    session.tell(answer, lambda data: _told(session, data, what))
    return 0


def _undo(session: Session, item_id: str, what: str) -> int:
    from terminal import api  # noqa: PLC0415 - not for --help

    answer = session.api.delete(api.item(item_id, "artifacts", what, "user"))
    if session.json:
        put_json(answer.raw)
    else:
        session.note(f"The system's {what} is shown again: readdo show {item_id[-6:]} --only {what}")
    return 0


_NEXT = {"READY": "regenerate", "ARCHIVED": "regenerate", "CAPTURED": "process"}


def _told(session: Session, data: dict[str, Any], what: str) -> None:
    item = data["item"]
    name = str(item["id"])[-6:]
    if what in MADE:
        version = (data.get("artifact") or {}).get("version", "")
        session.screen.paragraph(f"Saved: your {what}, version {version}.")
        session.note(f"See it: readdo show {name} --only {what}")
        session.note(f"Back to the system's: readdo edit {name} {what} --undo")
        return
    session.screen.paragraph(f"Saved: the {what}.")
    following = _NEXT.get(item["status"], "retry" if str(item["status"]).startswith("FAILED_") else "")
    if following and what != "title":
        session.note(f"It counts from the next run on: readdo {following} {name}")
