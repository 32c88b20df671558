"""`readdo list`: list items."""

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
    help="Filter by status: captured, queued, processing, ready, failed_*, shipped, archived …; repeatable.",
)
@click.option(
    "--priority",
    multiple=True,
    type=click.Choice(list(words.PRIORITIES), case_sensitive=False),
    metavar="PRIORITY",
    help="Filter by priority: read_next, worth_it, if_time, skip; repeatable.",
)
@click.option(
    "--source-type",
    multiple=True,
    type=click.Choice(["web", "youtube", "newsletter", "other"]),
    metavar="TYPE",
    help="Filter by source: web, youtube, newsletter, other; repeatable.",
)
@click.option("--query", "-q", metavar="TEXT", help="Search in title, domain and intent.")
@click.option("--sort", type=click.Choice(list(SORTS)), default="score", show_default=True)
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Maximum number of items.")
@click.option("--all", "whole", is_flag=True, help="List all items, shipped and archived ones too.")
@click.option("--long", "-l", is_flag=True, help="Show the first reason for each score.")
@click.pass_obj
def command(session: Session, /, whole: bool, long: bool, limit: int, sort: str, **filters: Any) -> None:
    """List items, best score first.

    Shipped and archived items are listed only with --status shipped, --status archived or --all. In a pipe, each item
    is one line of tab-separated columns: id, status, priority, score, source, created, domain, title, intent, failure,
    url.
    """
    parameters = {
        "status": filters["status"],
        "priority": filters["priority"],
        "source_type": filters["source_type"],
        "q": filters["query"],
    }
    page = _fetch(session, {**parameters, "sort": SORTS[sort], "limit": PAGE if whole else limit}, whole)
    if session.json:
        put_json(page)
        return
    _show(session, page, flat=sort == "newest", narrowed=any(parameters.values()), whole=whole, long=long)


def _fetch(session: Session, query: dict[str, Any], whole: bool) -> dict[str, Any]:
    """Fetch the items; with --all, merge all pages into one response."""
    page: dict[str, Any] = session.api.get("/items", query).raw
    while whole and page.get("next_cursor"):
        more = session.api.get("/items", {**query, "cursor": page["next_cursor"]}).raw
        page = {"items": [*page["items"], *more["items"]], "next_cursor": more.get("next_cursor")}
    return page


def _show(session: Session, page: dict[str, Any], *, flat: bool, narrowed: bool, whole: bool, long: bool) -> None:
    from terminal import inbox  # noqa: PLC0415 - not for --json or --help
    from terminal.text import clean_json  # noqa: PLC0415 - the same

    rows = [row for row in clean_json(page["items"]) if narrowed or whole or words.group_of(row) not in AWAY]
    screen = session.screen
    if not screen.live:
        for line in inbox.lines(rows):
            click.echo(line)  # not through the screen, which replaces tabs
        return
    view = inbox.Inbox(screen, session.outside.now(), long=long)
    if flat:
        view.rows(rows)
    else:
        view.groups(rows, folded=() if narrowed or whole else (words.SKIP,))
    if not rows:
        _show_empty(session, narrowed)
    hints = inbox.footer([] if narrowed or flat or whole else clean_json(page["items"]), bool(page.get("next_cursor")))
    if hints:
        screen.blank()
    for part in hints:
        screen.paragraph(part, "dim", first="  ")


def _show_empty(session: Session, narrowed: bool) -> None:
    if narrowed:
        session.screen.line("No items match.")
    else:
        session.screen.line('No items to read. Save one: readdo capture URL -i "why you want to read it"')
