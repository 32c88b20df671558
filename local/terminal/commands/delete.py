"""`readdo delete`: delete items permanently."""

import click

from terminal import names
from terminal.command import items_argument, verb
from terminal.failures import FAILED, usage
from terminal.session import Session, put_json

_LISTED = 10


@verb("delete")
@items_argument
@click.option("--yes", "-y", is_flag=True, help="Delete without confirmation.")
@click.pass_obj
def command(session: Session, item_names: tuple[str, ...], yes: bool) -> int:
    """Delete items permanently, with their artifacts and exports. Asks for confirmation."""
    from terminal import batch  # noqa: PLC0415 - not for --help

    if not yes and not session.can_prompt:
        raise usage("This needs a confirmation, and there is no terminal.", "To delete without confirmation: --yes")
    ids = names.find_all(session.api, item_names)
    if not yes and not _confirmed(session, ids):
        session.note("Nothing was deleted.")
        return FAILED
    return _delete_one(session, ids[0]) if len(ids) == 1 else batch.make(session, ids, "delete", {})


def _delete_one(session: Session, item_id: str) -> int:
    from terminal import api  # noqa: PLC0415 - not for --help

    response = session.api.delete(api.item(item_id))
    if session.json:
        put_json(response.raw)
    else:
        session.note(f"Deleted: {item_id}")
    return 0


def _confirmed(session: Session, ids: list[str]) -> bool:
    """Show the titles and ask for confirmation."""
    from terminal import api, words  # noqa: PLC0415 - not for --help

    for item_id in ids[:_LISTED]:
        item = session.api.get(api.item(item_id)).data["item"]
        session.notes.paragraph(words.title_of(item), first=(f"  {words.short(item_id)}  ", "bold"))
    if len(ids) > _LISTED:
        session.notes.line(f"  … and {len(ids) - _LISTED} more")
    what = "this item" if len(ids) == 1 else f"these {len(ids)} items"
    return click.confirm(f"Delete {what} permanently, with artifacts and exports?", default=False, err=True)
