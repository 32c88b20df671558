"""Print the result of a capture."""

from typing import Any

from terminal import detail, run_summary, words
from terminal.api import ApiResponse
from terminal.item_watch import RESTS
from terminal.session import Session, put_json
from terminal.words import short


def show_result(session: Session, response: ApiResponse, *, watch: bool, rests: bool = False) -> int:
    """Print the result, and follow the item with `watch`.

    `rests`: saved with --no-process, so there is no run to watch, unless it joined an item that is processing.
    """
    item = response.data["item"]
    resting = rests and item["status"] == "CAPTURED"
    if watch and resting:
        session.note(f"{RESTS} Next: readdo process {short(item['id'])} --watch")
    if watch and not resting:
        if response.data.get("joined"):
            session.note(_joined_message(item))
        return run_summary.watch(session, str(item["id"]))
    if session.json:
        put_json(response.raw)
    elif session.screen.live:
        _show_item(session, response.data, rests=resting)
    else:
        session.screen.line(str(item["id"]))
        if response.data.get("joined"):
            session.note(_joined_message(item))
            for reason in (item["intent_text"], *detail.other_intents(item)):
                session.note(f"  saved for: {reason}")
    return 0


def _joined_message(item: dict[str, Any]) -> str:
    times = item.get("save_count", 2)
    message = f"Already saved as {short(item['id'])}, {times} times now. It is not processed again."
    return " ".join([message, *_next_command(item)])


def _next_command(item: dict[str, Any]) -> list[str]:
    """Return the command to run next for a failed or archived item: a join changes neither state."""
    if words.failed(item):
        return [f"It failed. Try again: readdo retry {short(item['id'])}"]
    if item["status"] == "ARCHIVED":
        return [f"It is archived. Unarchive it: readdo unarchive {short(item['id'])}"]
    return []


def _show_item(session: Session, data: dict[str, Any], *, rests: bool) -> None:
    item, screen = data["item"], session.screen
    name = short(item["id"])
    if data.get("joined"):
        screen.paragraph(_joined_message(item), "yellow")
        screen.blank()
        detail.header(screen, item, session.outside.now())
        screen.blank()
        screen.line(("Show it: ", "dim"), f"readdo show {name}", ("   Save as a new item: ", "dim"), "--new")
        return
    screen.paragraph(words.title_of(item), "bold", first=("✓ ", "green"))
    screen.paragraph(str(item.get("intent_text", "")), "italic", first=("  ", ""))
    next_command = f"readdo process {name}" if rests else f"readdo watch {name}"
    screen.line((f"  {name}  ", "bold"), (next_command, "dim"))
