"""What was saved elsewhere is brought in: a file, how it goes on, and what became of each of its lines."""

import re
from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.lifecycle.import_job import READING, RUNNING
from readdo.read.imports import import_commands, results, views
from readdo.store.imports import imports_of
from readdo.web import errors
from readdo.web.body_validation import validate
from readdo.web.path_params import import_id
from readdo.web.requests import Import
from screens import file_upload, html_response
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
IMPORTS = f"{HOME}/imports"
ONE = f"{IMPORTS}/<given>"
LISTED, LINES, LOOKS = 20, 50, 12  # imports on the page; lines of one on its own, and looks for as many
# As `readdo.import_formats` names them, in the order in which they are shown.
SOURCES = (
    *("pocket", "instapaper", "omnivore", "raindrop", "pinboard", "readwise", "wallabag", "karakeep", "linkwarden"),
    *("bookmarks", "chrome", "firefox", "opml", "table", "json", "links", "zip"),
)
MOVING = (READING, RUNNING)
FILTERS = ("bad", "captured", "joined", "duplicate", "all")


@router.get(IMPORTS)
def get_imports() -> Response[str]:
    return _page(visit_of(router))


@router.post(IMPORTS)
def post_import() -> Response[str]:
    """A file that came along is kept and started. A script says only what it will send to the bucket itself."""
    visit = visit_of(router)
    draft = {"intent_text": "", "rests": ""}
    try:
        draft = {name: visit.form.get(name, "") for name in draft}
        row = _brought(visit, draft) if visit.brings_files else _announced(visit, draft)
    except Exception as error:
        refused = errors.of(error)
        if refused is None:
            raise
        return _page(visit, refused.status, wrong=file_upload.wrong(visit, "import", error, refused), draft=draft)
    return html_response.go_to(visit, f"{IMPORTS}/{row['id']}")


@router.get(ONE)
def get_import(given: str) -> Response[str]:
    visit = visit_of(router)
    row = import_commands.find(visit.table, visit.owner, import_id(given))
    found = views.detail(row)
    usual = "bad" if row["counts"]["bad"] else "all"
    only = visit.query.get("result", usual)
    only = only if only in FILTERS else usual
    lines, further = _lines(visit, row, "" if only == "all" else only)
    return html_response.page(
        visit,
        "import.html",
        one=found["import"],
        may=[action["action"] for action in found["available_actions"]],
        upload=found.get("upload"),
        filters=FILTERS,
        only=only,
        lines=lines,
        further=further,
        first_page="cursor" not in visit.query,
        moving=row["status"] in MOVING,
        done=flash(visit),
    )


@router.post(f"{ONE}/start")
def post_start(given: str) -> Response[str]:
    return _moved(given, "start", import_commands.start)


@router.post(f"{ONE}/pause")
def post_pause(given: str) -> Response[str]:
    return _moved(given, "pause", import_commands.pause)


@router.post(f"{ONE}/resume")
def post_resume(given: str) -> Response[str]:
    return _moved(given, "resume", import_commands.resume)


@router.post(f"{ONE}/cancel")
def post_cancel(given: str) -> Response[str]:
    return _moved(given, "cancel", import_commands.cancel)


def _moved(given: str, name: str, ask: Callable[..., dict[str, Any]]) -> Response[str]:
    visit = visit_of(router)
    ask(visit.table, visit.owner, import_id(given), clock.now())
    return html_response.go_to(visit, flash_link(f"{IMPORTS}/{given}", f"import_{name}"))


def _brought(visit: PageRequest, draft: dict[str, str]) -> dict[str, Any]:
    file = file_upload.brought(visit, "import")
    row = _asked(visit, draft, file.name, len(file.body))
    files.put_once(import_commands.file_of(row), file.body, import_commands.UPLOAD_TYPE)
    return import_commands.start(visit.table, visit.owner, row["id"], clock.now())


def _announced(visit: PageRequest, draft: dict[str, str]) -> dict[str, Any]:
    size = file_upload.announced(visit, "import", import_commands.FILE_MAX)
    return _asked(visit, draft, visit.form.get("filename", ""), size)


def _asked(visit: PageRequest, draft: dict[str, str], name: str, size: int) -> dict[str, Any]:
    """Without its folders, which some browsers tell; of a long name the end, which says what it is."""
    shown_name = re.split(r"[/\\]", name)[-1][-200:].strip() or "file"
    wish = {"filename": shown_name, "size": size, "intent_text": draft["intent_text"].strip()}
    asked = validate(Import, {**wish, "process": draft["rests"] != "1", "profile": visit.likes["profile"]})
    return import_commands.create_import(
        visit.table, visit.owner, import_commands.ImportRequest(**asked.model_dump()), "", clock.now()
    )


def _page(visit: PageRequest, status: int = 200, **more: Any) -> Response[str]:
    listed = [views.view(row) for row in imports_of(visit.table, visit.owner)[:LISTED]]
    shape = {"imports": listed, "sources": SOURCES, "sent_max": file_upload.SENT_MAX, "wrong": "", "done": flash(visit)}
    draft = {"intent_text": "", "rests": ""}
    return html_response.page(visit, "imports.html", status, **{"draft": draft, **shape, **more})


def _lines(visit: PageRequest, row: dict[str, Any], only: str) -> tuple[list[dict[str, Any]], str | None]:
    """Few bad lines may lie far apart, so several looks fill a page, or say where the next one goes on."""
    found: list[dict[str, Any]] = []
    cursor = visit.query.get("cursor") or None
    for _ in range(LOOKS):
        more, cursor = results.list_results(visit.table, row, only, cursor, LINES - len(found))
        found += more
        if cursor is None or len(found) >= LINES:
            break
    return found, cursor
