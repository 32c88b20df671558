"""`readdo import` and `imports`: import links from other apps, and follow the imports until they end."""

import hashlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from terminal import transfers
from terminal.api import ApiResponse, at
from terminal.command import PROFILES, verb
from terminal.failures import FAILED, CommandFailure
from terminal.polling import Pause, show_progress
from terminal.screen import meter
from terminal.session import Session, put_json
from terminal.words import Row

ENDED = ("DONE", "FAILED", "CANCELLED", "PAUSED")
BAD_SHOWN = 20
_BAR = 20
_NAMES = (("captured", "captured"), ("joined", "joined"), ("duplicate", "duplicate lines"), ("bad", "invalid"))


@verb("import")
@click.argument(
    "files",
    metavar="FILE…",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--intent", "-i", metavar="TEXT", help="Why you saved them, for lines without a note.")
@click.option("--no-process", is_flag=True, help="Save without processing.")
@click.option("--profile", type=PROFILES, help="Reading profile.")
@click.option("--language", metavar="CODE", help="Output language, such as en or zh.  [the intent's]")
@click.option("--no-wait", is_flag=True, help="Print the import ids and exit; imports continue on the server.")
@click.pass_obj
def import_files(
    session: Session,
    files: tuple[Path, ...],
    intent: str | None,
    no_process: bool,
    profile: str | None,
    language: str | None,
    no_wait: bool,
) -> None:
    """Import from Pocket, Instapaper, Omnivore, Karakeep, bookmarks, OPML or link lists.

    Dates, tags and the read state are kept; pages that you already saved are joined. Zip files and exports in several
    files are supported. Importing the same file again adds nothing twice. List or pause imports: readdo imports
    """
    values = {"intent_text": intent, "profile": profile, "language": language}
    options = {name: value for name, value in values.items() if value} | ({"process": False} if no_process else {})
    _upload_files(session, files, options, wait=not no_wait)


@click.group("imports", invoke_without_command=True)
@click.pass_context
def imports(ctx: click.Context) -> None:
    """List, pause, resume or cancel imports."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(listed)


@verb("list")
@click.pass_obj
def listed(session: Session) -> None:
    """List all imports, newest first."""
    session.tell(session.api.get("/imports"), lambda data: _show(session, data["imports"]))


def _show(session: Session, rows: Sequence[Row]) -> None:
    for one in rows:
        session.screen.line(f"{one['id']}  {_describe(one)}")
        if one.get("failure"):
            session.screen.paragraph(str(one["failure"].get("message", "")), "red", first="  ")


def _move(action: str, does: str) -> click.Command:
    @verb(action, help=does)
    @click.argument("import_id", metavar="ID")
    @click.pass_obj
    def move(session: Session, import_id: str) -> None:
        response = session.api.post(at("imports", import_id, action))
        session.tell(response, lambda data: session.screen.line(_describe(data["import"])))

    return move


imports.add_command(listed)
for action, does in (
    ("pause", "Pause an import. Lines in progress are finished."),
    ("resume", "Resume an import after a pause or a failure."),
    ("cancel", "Cancel an import. Imported items stay."),
):
    imports.add_command(_move(action, does))


def _upload_files(session: Session, paths: Sequence[Path], options: Mapping[str, Any], *, wait: bool) -> None:
    """Upload all files before waiting for any, so that Ctrl-C during the first import loses none."""
    responses = [_start(session, path, options) for path in paths]
    try:
        ended = [_wait(session, answer) for answer in responses] if wait else responses
    except KeyboardInterrupt:
        session.note("The import continues on the server. Check its progress: readdo imports")
        raise
    if session.json:
        put_json({"imports": [answer.raw["import"] for answer in ended]})
    imports = [answer.data["import"] for answer in ended]
    for one in [] if session.json else imports:
        session.screen.line(_describe(one) if wait else str(one["id"]))
        if one["counts"]["bad"]:
            _show_bad(session, one)
    for one in imports:
        if one["status"] == "FAILED":
            failure = one.get("failure") or {}
            message = f"{one['filename']}: {failure.get('message')}"
            raise CommandFailure(message, exit_code=FAILED, code=str(failure.get("error_code")))


def _start(session: Session, path: Path, options: Mapping[str, Any]) -> ApiResponse:
    body = path.read_bytes()
    if not body:
        raise CommandFailure(f"{path} is empty.", "Export it again from the other app.", code="EMPTY")
    request = {"filename": path.name[-200:], "size": len(body), "sha256": hashlib.sha256(body).hexdigest(), **options}
    response = session.api.post("/import", request)
    transfers.upload(session, response.raw["upload"], BytesIO(body), "Try again; nothing was imported.")
    return session.api.post(at("imports", str(response.raw["import"]["id"]), "start"))


def _wait(session: Session, response: ApiResponse) -> ApiResponse:
    pause = Pause(session.outside.sleep)
    with show_progress(session, _draw, _describe_progress) as show:
        while response.data["import"]["status"] not in ENDED:
            show(response.data["import"])
            pause()
            newer = session.api.get(at("imports", str(response.data["import"]["id"])))
            if newer.data["import"]["counts"] != response.data["import"]["counts"]:
                pause.reset()
            response = newer
    return response


def _draw(one: Row) -> Text:
    counts = one["counts"]
    done, filled = counts["lines"] - counts["left"], _done(one, _BAR)
    rest = (f"{one['filename']} · {one['in_flight']} in progress", "dim")
    return Text.assemble("  ", *meter(filled, _BAR, "green"), f" {done}/{counts['lines']}  ", rest)


def _describe_progress(one: Row) -> str:
    if not one["counts"]["lines"]:
        return f"{one['filename']}: reading the file"
    return f"{one['filename']}: {_done(one, 10)}0 %"


def _done(one: Row, parts: int) -> int:
    counts = one["counts"]
    return int(parts * (counts["lines"] - counts["left"]) // max(counts["lines"], 1))


def _describe(one: Row) -> str:
    counts = one["counts"]
    parts = [f"{counts[name]} {words}" for name, words in _NAMES if counts[name]]
    if counts["archived"]:
        parts.insert(1, f"{counts['archived']} of them archived")
    if counts["left"]:
        parts.append(f"{counts['left']} left")
    return f"{one['filename']}: {one['status'].lower()}; {', '.join(parts) or 'nothing yet'}"


def _show_bad(session: Session, one: Row) -> None:
    response = session.api.get(at("imports", str(one["id"]), "lines"), {"result": "bad", "limit": str(BAD_SHOWN)})
    for line in response.data["lines"]:
        session.note(f"  {line.get('place', '')}: {line.get('words', '')} {line.get('url', '')}".rstrip())
