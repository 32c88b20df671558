"""What is said after a capture."""

from typing import Any

from terminal import detail, run_summary, words
from terminal.api import ApiResponse
from terminal.item_watch import RESTS
from terminal.session import Session, put_json
from terminal.words import short


def show_result(session: Session, answer: ApiResponse, *, watch: bool, rests: bool = False) -> int:
    """`rests`: it was asked that it is not read, so there is nothing to watch, unless it joined one that moves."""
    item = answer.data["item"]
    resting = rests and item["status"] == "CAPTURED"
    if watch and resting:
        session.note(f"{RESTS} Next: readdo process {short(item['id'])} --watch")
    if watch and not resting:
        if answer.data.get("joined"):
            session.note(_joined(item))
        return run_summary.watch(session, str(item["id"]))
    if session.json:
        put_json(answer.raw)
    elif session.screen.live:
        _show(session, answer.data, rests=resting)
    else:
        session.screen.line(str(item["id"]))
        if answer.data.get("joined"):
            session.note(_joined(item))
            for reason in (item["intent_text"], *detail.other_intents(item)):
                session.note(f"  saved for: {reason}")
    return 0


def _joined(item: dict[str, Any]) -> str:
    times = item.get("save_count", 2)
    said = f"You had saved this before, as {short(item['id'])}: {times} times now. Nothing is read anew."
    return " ".join([said, *_no_use_yet(item)])


def _no_use_yet(item: dict[str, Any]) -> list[str]:
    """Joining does not mend what failed, nor bring back what was put away."""
    if words.failed(item):
        return [f"It has failed. Try it again: readdo retry {short(item['id'])}"]
    if item["status"] == "ARCHIVED":
        return [f"It is archived. Bring it back: readdo unarchive {short(item['id'])}"]
    return []


def _show(session: Session, data: dict[str, Any], *, rests: bool) -> None:
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
    nextly = f"readdo process {name}" if rests else f"readdo watch {name}"
    screen.line((f"  {name}  ", "bold"), (nextly, "dim"))
