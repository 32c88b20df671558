"""Delete items for good."""

import click

from terminal import names
from terminal.command import items_argument, verb
from terminal.failures import FAILED, usage
from terminal.session import Session, put_json

_LISTED = 10


@verb("delete")
@items_argument
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(session: Session, given: tuple[str, ...], yes: bool) -> int:
    """Delete items for good, with all that was made of them, exports too. It asks first."""
    from terminal import batch  # noqa: PLC0415 - not for --help

    if not yes and not session.asks:
        raise usage("Nobody is here to be asked whether it is meant.", "If it is: add --yes")
    ids = names.find_all(session.api, given)
    if not yes and not _meant(session, ids):
        session.note("Nothing was deleted.")
        return FAILED
    return _one(session, ids[0]) if len(ids) == 1 else batch.make(session, ids, "delete", {})


def _one(session: Session, item_id: str) -> int:
    from terminal import api  # noqa: PLC0415 - not for --help

    answer = session.api.delete(api.item(item_id))
    if session.json:
        put_json(answer.raw)
    else:
        session.note(f"Deleted: {item_id}")
    return 0


def _meant(session: Session, ids: list[str]) -> bool:
    """Titles, because nobody knows an item by its id."""
    from terminal import api, words  # noqa: PLC0415 - not for --help

    for item_id in ids[:_LISTED]:
        item = session.api.get(api.item(item_id)).data["item"]
        session.notes.paragraph(words.title_of(item), first=(f"  {words.short(item_id)}  ", "bold"))
    if len(ids) > _LISTED:
        session.notes.line(f"  … and {len(ids) - _LISTED} more")
    what = "it" if len(ids) == 1 else f"these {len(ids)}"
    return click.confirm(f"Delete {what} for good, with all that was made?", default=False, err=True)
