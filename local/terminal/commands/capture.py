"""`readdo capture`: save a link or a text, and print the result."""

import uuid
from pathlib import Path
from typing import Any

import click

from terminal import item_detail, sources, words
from terminal.api import ApiResponse
from terminal.command import PROFILES, verb
from terminal.failures import usage
from terminal.item_watch import RESTS
from terminal.item_watch import watch as watch_item
from terminal.session import Session, put_json
from terminal.words import short


@verb("capture")
@click.argument("source", metavar="[URL|-]", default="")
@click.option("--intent", "-i", metavar="TEXT", help="Why you are saving this, in one line.")
@click.option(
    "--file", "-f", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Text or HTML to read."
)
@click.option("--url", "link", metavar="URL", help="With - or --file: the source of the text.")
@click.option("--title", metavar="TEXT", help="Title to use instead of the page's title.")
@click.option("--profile", type=PROFILES, help="Reading profile.")
@click.option("--language", metavar="CODE", help="Output language, such as en or zh.  [the intent's]")
@click.option("--source-type", type=click.Choice(["web", "youtube", "newsletter", "other"]), help="Type of source.")
@click.option("--no-process", is_flag=True, help="Save without processing. Later: readdo process ID")
@click.option("--new", is_flag=True, help="Create a new item, even if the page is already saved.")
@click.option("--watch", "-w", is_flag=True, help="Wait until processing ends.")
@click.pass_obj
def capture(
    session: Session, /, source: str, intent: str | None, path: Path | None, link: str | None, **rest: Any
) -> int:
    """Save a link or a text, and why you want to read it.

    \b
    readdo capture https://example.com/post -i "how to test our job queue"
    pbpaste | readdo capture - --url https://example.com/post -i "为什么存下它"
    readdo capture --file notes.html -i "decide about meetings" --watch

    In a pipe, only the full id of the item is printed.
    """
    body = {**_source(source, path, link), "intent_text": _intent(session, intent, stdin_is_free=source != "-")}
    for name in ("title", "profile", "language", "source_type"):
        if rest[name]:
            body[name] = rest[name]
    body |= {"process": False} if rest["no_process"] else {}
    body |= {"on_duplicate": "new"} if rest["new"] else {}
    # Generated once per capture, so that network retries create one item.
    response = session.api.post("/capture", {**body, "capture_id": str(uuid.uuid4())})
    return _show_result(session, response, watch=rest["watch"], rests=rest["no_process"])


def _source(source: str, path: Path | None, link: str | None) -> dict[str, Any]:
    if source == "-" and path:
        raise usage("You used both stdin (-) and --file.", "Use one of them.")
    if source not in ("", "-") and link:
        raise usage("You entered two links.", "Use --url only with - or --file.")
    address = link or (source if source != "-" else "")
    body = {"url": sources.link(address)} if address else {}
    if source == "-":
        body["content"] = sources.of_stdin()
    if path:
        body["content"] = sources.of_file(path)
    if not body:
        raise usage("Enter a link or a text.", 'readdo capture URL -i "why", or - for stdin, or --file PATH')
    return body


def _intent(session: Session, text: str | None, *, stdin_is_free: bool) -> str:
    if text is None and stdin_is_free and session.can_prompt:
        text = click.prompt("Why are you saving this?", err=True)
    if not text or not text.strip():
        raise usage("Enter why you are saving this, in one line.", '--intent "…" or -i "…"')
    return text.strip()


def _show_result(session: Session, response: ApiResponse, *, watch: bool, rests: bool = False) -> int:
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
        return watch_item(session, str(item["id"]))
    if session.json:
        put_json(response.raw)
    elif session.screen.live:
        _show_item(session, response.data, rests=resting)
    else:
        session.screen.line(str(item["id"]))
        if response.data.get("joined"):
            session.note(_joined_message(item))
            for reason in (item["intent_text"], *item_detail.other_intents(item)):
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
        item_detail.header(screen, item, session.outside.now())
        screen.blank()
        screen.line(("Show it: ", "dim"), f"readdo show {name}", ("   Save as a new item: ", "dim"), "--new")
        return
    screen.paragraph(words.title_of(item), "bold", first=("✓ ", "green"))
    screen.paragraph(str(item.get("intent_text", "")), "italic", first=("  ", ""))
    next_command = f"readdo process {name}" if rests else f"readdo watch {name}"
    screen.line((f"  {name}  ", "bold"), (next_command, "dim"))
