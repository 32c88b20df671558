"""`readdo edit`: edit an item's fields and artifacts."""

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
@click.option("--as-json", is_flag=True, help="Edit all fields as JSON, with evidence.")
@click.option("--from", "source", metavar="FILE|-", help="Send this text without an editor.")
@click.option("--undo", is_flag=True, help="Restore the original of this part, or of all parts you edited.")
@click.pass_obj
def command(session: Session, name: str, what: str | None, as_json: bool, source: str | None, undo: bool) -> int:
    """Edit an item in your editor ($VISUAL or $EDITOR).

    Opens the summary, or the part you name: intent, title, language, profile, content, todos, card. Unchanged text is
    not sent. If your text is rejected, it is kept in a file.
    """
    from terminal.artifact_editor.edit_loop import Edit, text_of  # noqa: PLC0415 - not for --help

    if what and what not in MADE and (as_json or undo):
        raise click.UsageError(f"--as-json and --undo work only for {', '.join(MADE)}.")
    item_id = names.find(session.api, name)
    if undo:
        return _undo(session, item_id, what)
    kind = what or "summary"
    edit = Edit(session, item_id, kind, as_json=as_json)
    response = edit.from_text(text_of(source)) if source else edit.by_hand()
    if response is None:
        session.note("No changes, so nothing was sent.")
        if session.json:
            put_json(None)
        return 0
    session.tell(response, lambda data: _print_saved(session, data, kind))
    return 0


def _undo(session: Session, item_id: str, wanted_kind: str | None) -> int:
    """Restore the original of one artifact, or of all that the user edited."""
    from terminal import api  # noqa: PLC0415 - not for --help

    edited = session.api.get(api.item(item_id)).data["item"].get("edited") or []
    kinds = [kind for kind in MADE if kind in edited and wanted_kind in (None, kind)]
    for kind in kinds:
        session.api.delete(api.item(item_id, "artifacts", kind, "user"))
    if session.json:
        put_json(None)
    elif kinds:
        only = f" --only {kinds[0]}" if len(kinds) == 1 else ""
        session.note(f"Restored the original {_join_words(kinds)}: readdo show {item_id[-6:]}{only}")
    else:
        session.note(f"You have not edited {f'the {wanted_kind}' if wanted_kind else 'this item'}.")
    return 0


def _join_words(kinds: list[str]) -> str:
    return " and ".join(part for part in (", ".join(kinds[:-1]), kinds[-1]) if part)


def _print_saved(session: Session, data: dict[str, Any], what: str) -> None:
    item = data["item"]
    name = str(item["id"])[-6:]
    if what in MADE:
        version = (data.get("artifact") or {}).get("version", "")
        session.screen.paragraph(f"Saved your {what}, version {version}.")
        session.note(f"Show it: readdo show {name} --only {what}")
        session.note(f"Restore original: readdo edit {name} {what} --undo")
        return
    session.screen.paragraph(f"Saved the {what}.")
    if next_run := _next_run(item):
        session.note(f"Used from the next run{next_run}")


_NEXT = {"READY": "regenerate", "ARCHIVED": "regenerate", "CAPTURED": "process"}


def _next_run(item: dict[str, Any]) -> str:
    """Return how to start the next run; empty while the item is processing."""
    from terminal import words  # noqa: PLC0415 - not for --help

    if item["status"] == "SHIPPED":
        return f": {words.regenerate_shipped_command(item['id'])}"
    command = "retry" if words.failed(item) else _NEXT.get(item["status"], "")
    return f": readdo {command} {words.short(item['id'])}" if command else ""
