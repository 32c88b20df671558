"""What is worth reading, the best first."""

from typing import Any

import click

from terminal import words
from terminal.command import verb
from terminal.session import Session, put_json

SORTS = {"score": "priority_score_desc", "newest": "created_desc"}
AWAY = (words.SHIPPED, words.ARCHIVED)
PAGE = 100


@verb("list")
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(words.STATUSES, case_sensitive=False),
    metavar="STATUS",
    help="Only these: captured, queued, processing, ready, failed_*, shipped, archived …; repeatable.",
)
@click.option(
    "--priority",
    multiple=True,
    type=click.Choice(list(words.PRIORITIES), case_sensitive=False),
    metavar="PRIORITY",
    help="Only these: read_next, worth_it, if_time, skip; repeatable.",
)
@click.option(
    "--source-type",
    multiple=True,
    type=click.Choice(["web", "youtube", "newsletter", "other"]),
    metavar="TYPE",
    help="Only these: web, youtube, newsletter, other; repeatable.",
)
@click.option("--query", "-q", metavar="TEXT", help="Only those with this in title, domain or intent.")
@click.option("--sort", type=click.Choice(list(SORTS)), default="score", show_default=True)
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="At most so many.")
@click.option("--all", "whole", is_flag=True, help="Every status, however many: the shipped and the archived too.")
@click.option("--long", "-l", is_flag=True, help="With the first reason for each score.")
@click.pass_obj
def command(session: Session, /, whole: bool, long: bool, limit: int, sort: str, **filters: Any) -> None:
    """What is worth reading, the best first.

    Shipped and archived items are shown when they are asked for: --status shipped, or --all. In a pipe each item is one
    line, its columns parted by tabs: id, status, priority, score, source, created, domain, title, intent, failure, url.
    """
    asked = {
        "status": filters["status"],
        "priority": filters["priority"],
        "source_type": filters["source_type"],
        "q": filters["query"],
    }
    found = _ask(session, {**asked, "sort": SORTS[sort], "limit": PAGE if whole else limit}, whole)
    if session.json:
        put_json(found)
        return
    _show(session, found, flat=sort == "newest", narrowed=any(asked.values()), whole=whole, long=long)


def _ask(session: Session, query: dict[str, Any], whole: bool) -> dict[str, Any]:
    """The answer; of many pages, one answer of the same form."""
    found: dict[str, Any] = session.api.get("/items", query).raw
    while whole and found.get("next_cursor"):
        more = session.api.get("/items", {**query, "cursor": found["next_cursor"]}).raw
        found = {"items": [*found["items"], *more["items"]], "next_cursor": more.get("next_cursor")}
    return found


def _show(session: Session, found: dict[str, Any], *, flat: bool, narrowed: bool, whole: bool, long: bool) -> None:
    from terminal import inbox  # noqa: PLC0415 - not for JSON, nor for --help
    from terminal.text import cleaned  # noqa: PLC0415 - the same

    rows = [row for row in cleaned(found["items"]) if narrowed or whole or words.group_of(row) not in AWAY]
    screen = session.screen
    if not screen.live:
        for line in inbox.lines(rows):
            click.echo(line)  # not through the screen, which knows no tabs
        return
    page = inbox.Inbox(screen, session.outside.now(), long=long)
    if flat:
        page.rows(rows)
    else:
        page.groups(rows, folded=() if narrowed or whole else (words.SKIP,))
    if not rows:
        _nothing(session, narrowed)
    told = inbox.footer([] if narrowed or flat or whole else cleaned(found["items"]), bool(found.get("next_cursor")))
    if told:
        screen.blank()
    for part in told:
        screen.paragraph(part, "dim", first="  ")


def _nothing(session: Session, narrowed: bool) -> None:
    if narrowed:
        session.screen.line("Nothing here is like that.")
    else:
        session.screen.line('Nothing to read. Save something: readdo capture URL -i "why you want to read it"')
