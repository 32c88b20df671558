"""A move of one item: ask for it, say in one line what came of it, and how one goes on."""

from collections.abc import Mapping
from typing import Any

from terminal import api, names, words
from terminal.session import Session
from terminal.words import short


def make(session: Session, name: str, call: str, body: Mapping[str, Any] | None = None, *, watch: bool = False) -> int:
    item_id = names.find(session.api, name)
    answer = session.api.post(api.item(item_id, call), body)
    if watch:
        from terminal import run_summary  # noqa: PLC0415 - only for who watches

        return run_summary.watch(session, item_id)
    session.tell(answer, lambda data: tell(session, data["item"]))
    return 0


_COMES = {
    "QUEUED": "readdo watch {id}",
    "PROCESSING": "readdo watch {id}",
    "READY": "readdo show {id}",
    "SHIPPED": "readdo show {id}",
    "ARCHIVED": "back again: readdo unarchive {id}",
}


def tell(session: Session, item: words.Item) -> None:
    status, name = str(item["status"]), short(item["id"])
    screen = session.screen
    mark = ("✓ ", "green") if screen.live else ""
    screen.paragraph(f"{status.lower()}: {words.title_of(item)}", first=mark)
    if screen.live and status in _COMES:
        screen.line((f"  {name}  ", "bold"), (_COMES[status].format(id=name), "dim"))


def tell_many(session: Session, results: list[dict[str, Any]]) -> None:
    """Each by its own line; what went wrong, with its reason."""
    for result in results:
        name = short(str(result.get("id", "")))
        if result.get("ok"):
            item = result.get("item") or {}
            status = str(item.get("status", "deleted")).lower()
            session.screen.paragraph(f"{status}: {words.title_of(item) if item else name}", first=(f"{name}  ", "bold"))
        else:
            error = result.get("error") or {}
            session.notes.paragraph(str(error.get("message", "It failed.")), "red", first=(f"{name}  ", "bold"))
