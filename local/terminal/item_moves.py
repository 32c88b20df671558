"""Apply an action to one item and print the result with the next command."""

from collections.abc import Mapping
from typing import Any

from terminal import api, names, words
from terminal.session import Session
from terminal.words import short


def make(session: Session, name: str, call: str, body: Mapping[str, Any] | None = None, *, watch: bool = False) -> int:
    item_id = names.find(session.api, name)
    response = session.api.post(api.item(item_id, call), body)
    if watch:
        from terminal import run_summary  # noqa: PLC0415 - only for --watch

        return run_summary.watch(session, item_id)
    session.tell(response, lambda data: tell(session, data["item"]))
    return 0


_NEXT = {
    "QUEUED": "readdo watch {id}",
    "PROCESSING": "readdo watch {id}",
    "READY": "readdo show {id}",
    "SHIPPED": "readdo show {id}",
    "ARCHIVED": "undo: readdo unarchive {id}",
}


def tell(session: Session, item: words.Item) -> None:
    status, name = str(item["status"]), short(item["id"])
    screen = session.screen
    mark = ("✓ ", "green") if screen.live else ""
    screen.paragraph(f"{status.lower()}: {words.title_of(item)}", first=mark)
    if screen.live and status in _NEXT:
        screen.line((f"  {name}  ", "bold"), (_NEXT[status].format(id=name), "dim"))


def tell_many(session: Session, results: list[dict[str, Any]]) -> None:
    """Print one line per item; for a failure, its message on stderr."""
    for result in results:
        name = short(str(result.get("id", "")))
        if result.get("ok"):
            item = result.get("item") or {}
            status = str(item.get("status", "deleted")).lower()
            session.screen.paragraph(f"{status}: {words.title_of(item) if item else name}", first=(f"{name}  ", "bold"))
        else:
            error = result.get("error") or {}
            session.notes.paragraph(str(error.get("message", "Failed.")), "red", first=(f"{name}  ", "bold"))
