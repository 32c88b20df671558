"""What is said after a capture."""

from typing import Any

from terminal import detail, ending, words
from terminal.api import Answer
from terminal.session import Session, put_json
from terminal.words import short


def told(session: Session, answer: Answer, *, watch: bool) -> int:
    item = answer.data["item"]
    if watch:
        if answer.data.get("joined"):
            session.note(_joined(item))
        return ending.watch(session, str(item["id"]))
    if session.json:
        put_json(answer.raw)
    elif session.screen.live:
        _show(session, answer.data)
    else:
        session.screen.line(str(item["id"]))
        if answer.data.get("joined"):
            session.note(_joined(item))
    return 0


def _joined(item: dict[str, Any]) -> str:
    times = item.get("save_count", 2)
    return f"You had saved this before, as {short(item['id'])}: {times} times now. Nothing is read anew."


def _show(session: Session, data: dict[str, Any]) -> None:
    item, screen = data["item"], session.screen
    name = short(item["id"])
    if data.get("joined"):
        screen.paragraph(_joined(item), "yellow")
        screen.blank()
        detail.header(screen, item, session.outside.now())
        screen.blank()
        screen.line(("See it: ", "dim"), f"readdo show {name}", ("   As a new item: ", "dim"), "--new")
        return
    screen.paragraph(words.title_of(item), "bold", first=("✓ ", "green"))
    screen.paragraph(str(item.get("intent_text", "")), "italic", first=("  ", ""))
    nextly = f"readdo watch {name}"
    screen.line((f"  {name}  ", "bold"), (nextly, "dim"))
