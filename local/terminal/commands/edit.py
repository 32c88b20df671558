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
@click.argument("what", type=click.Choice(KINDS), required=False)
@click.option("--as-json", is_flag=True, help="All of it, evidence too, as JSON.")
@click.option("--from", "source", metavar="FILE|-", help="Send this text, without an editor.")
@click.option("--undo", is_flag=True, help="Drop your version of it, or, if nothing is named, all of yours.")
@click.pass_obj
def command(session: Session, name: str, what: str | None, as_json: bool, source: str | None, undo: bool) -> int:
    """Change what is shown, or why you saved it.

    Opens your editor ($VISUAL or $EDITOR) on the summary, or on what you name: intent, title, language, profile,
    content, todos, card. A text that is left as it is is not sent, and one that is refused is never lost.
    """
    from terminal.artifact_editor.edit_loop import Edit, text_of  # noqa: PLC0415 - not for --help

    if what and what not in MADE and (as_json or undo):
        raise click.UsageError(f"--as-json and --undo are for {', '.join(MADE)}.")
    item_id = names.find(session.api, name)
    if undo:
        return _undo(session, item_id, what)
    kind = what or "summary"
    edit = Edit(session, item_id, kind, as_json=as_json)
    answer = edit.from_text(text_of(source)) if source else edit.by_hand()
    if answer is None:
        session.note("Nothing was changed, so nothing was sent.")
        if session.json:
            put_json(None)
        return 0
    session.tell(answer, lambda data: _told(session, data, kind))
    return 0


def _undo(session: Session, item_id: str, asked: str | None) -> int:
    """Of what was asked for, or of all that is shown as the user changed it."""
    from terminal import api  # noqa: PLC0415 - not for --help

    edited = session.api.get(api.item(item_id)).data["item"].get("edited") or []
    kinds = [kind for kind in MADE if kind in edited and asked in (None, kind)]
    for kind in kinds:
        session.api.delete(api.item(item_id, "artifacts", kind, "user"))
    if session.json:
        put_json(None)
    elif kinds:
        are = "are" if len(kinds) > 1 or kinds == ["todos"] else "is"
        only = f" --only {kinds[0]}" if len(kinds) == 1 else ""
        session.note(f"The system's {_listed(kinds)} {are} shown again: readdo show {item_id[-6:]}{only}")
    else:
        session.note(f"There is no version of yours of {f'the {asked}' if asked else 'anything here'}.")
    return 0


def _listed(kinds: list[str]) -> str:
    return " and ".join(part for part in (", ".join(kinds[:-1]), kinds[-1]) if part)


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
    if following := _following(item):
        session.note(f"It counts from the next run on{following}")


_NEXT = {"READY": "regenerate", "ARCHIVED": "regenerate", "CAPTURED": "process"}


def _following(item: dict[str, Any]) -> str:
    """How the item comes to its next run; one that is under way has begun its own."""
    from terminal import words  # noqa: PLC0415 - not for --help

    if item["status"] == "SHIPPED":
        return f"; a shipped item is read anew by: {words.anew_from_shipped(item['id'])}"
    command = "retry" if words.failed(item) else _NEXT.get(item["status"], "")
    return f": readdo {command} {words.short(item['id'])}" if command else ""
