"""Save something, and why."""

import uuid
from pathlib import Path
from typing import Any

import click

from terminal import sources
from terminal.command import verb
from terminal.failures import usage
from terminal.session import Session


@verb("capture")
@click.argument("source", metavar="[URL|-]", default="")
@click.option("--intent", "-i", metavar="TEXT", help="Why you save it, in one line. Everything follows from it.")
@click.option(
    "--file", "-f", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Text or HTML to read."
)
@click.option("--url", "link", metavar="URL", help="With - or --file: where the text is from.")
@click.option("--title", metavar="TEXT", help="What to call it, if the page's own title is not good.")
@click.option("--profile", type=click.Choice(["engineer", "creator", "manager"]), help="What the summary looks for.")
@click.option("--language", metavar="CODE", help="To write in, such as en or zh; otherwise the intent's.")
@click.option("--source-type", type=click.Choice(["web", "youtube", "newsletter", "other"]), help="What it is.")
@click.option("--no-process", is_flag=True, help="Keep it, and read it only when told to: readdo process ID")
@click.option("--new", is_flag=True, help="A new item, even if the same page was saved before.")
@click.option("--watch", "-w", is_flag=True, help="Go on watching until it is read.")
@click.pass_obj
def command(
    session: Session, /, source: str, intent: str | None, path: Path | None, link: str | None, **rest: Any
) -> int:
    """Save a link or a text, and why.

    \b
    readdo capture https://example.com/post -i "how to test our job queue"
    pbpaste | readdo capture - --url https://example.com/post -i "为什么存下它"
    readdo capture --file notes.html -i "decide about meetings" --watch

    In a pipe the new item's whole id is all that is printed.
    """
    from terminal import capture_result  # noqa: PLC0415 - not for --help

    body = {**_source(source, path, link), "intent_text": _intent(session, intent, asked=source != "-")}
    for name in ("title", "profile", "language", "source_type"):
        if rest[name]:
            body[name] = rest[name]
    body |= {"process": False} if rest["no_process"] else {}
    body |= {"on_duplicate": "new"} if rest["new"] else {}
    # Made here, once: however often the network makes us ask, it names one item.
    answer = session.api.post("/capture", {**body, "capture_id": str(uuid.uuid4())})
    return capture_result.show_result(session, answer, watch=rest["watch"], rests=rest["no_process"])


def _source(source: str, path: Path | None, link: str | None) -> dict[str, Any]:
    if source == "-" and path:
        raise usage("Both stdin (-) and --file are given.", "Give one of them.")
    if source not in ("", "-") and link:
        raise usage("Two links are given.", "--url goes with - or --file; a link alone is given by itself.")
    address = link or (source if source != "-" else "")
    found = {"url": sources.link(address)} if address else {}
    if source == "-":
        found["content"] = sources.of_stdin()
    if path:
        found["content"] = sources.of_file(path)
    if not found:
        raise usage("What is to be saved?", 'readdo capture URL -i "why", or - for stdin, or --file PATH')
    return found


def _intent(session: Session, given: str | None, *, asked: bool) -> str:
    if given is None and asked and session.asks:
        given = click.prompt("Why do you save it?", err=True)
    if not given or not given.strip():
        raise usage("Why do you save it? One line is needed: everything follows from it.", '--intent "…" or -i "…"')
    return given.strip()
