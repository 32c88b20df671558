"""The pages of imports: upload, progress, and the result of each line."""

import re
from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.api.registry import to_api_error
from readdo.lifecycle.import_job import READING, RUNNING
from readdo.transfer.imports import import_commands, results, views
from readdo.transfer.imports.import_commands import imports_of
from readdo.transfer.requests import Import
from readdo.transfer.rows import ImportRow
from readdo.web.path_params import import_id
from readdo.web.request_body import validate
from screens import html_response
from screens.account import file_upload
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
IMPORTS = f"{HOME}/imports"
IMPORT = f"{IMPORTS}/<raw_id>"
LISTED, LINES, LOOKS = 20, 50, 12  # imports on the page; lines of an import on its page, and queries to fill that page
# Names of `readdo.transfer.import_formats`, in display order.
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
    """Start an import with the uploaded file, or create one whose file a script uploads to the bucket."""
    visit = visit_of(router)
    draft = {"intent_text": "", "rests": ""}
    try:
        draft = {name: visit.form.get(name, "") for name in draft}
        row = _from_upload(visit, draft) if visit.brings_files else _from_announcement(visit, draft)
    except Exception as error:
        refused = to_api_error(error)
        if refused is None:
            raise
        return _page(visit, refused.status, wrong=file_upload.error_text(visit, "import", error, refused), draft=draft)
    return html_response.go_to(visit, f"{IMPORTS}/{row['id']}")


@router.get(IMPORT)
def get_import(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    row = import_commands.find(visit.table, visit.owner, import_id(raw_id))
    detail = views.detail(row)
    default_filter = "bad" if row["counts"]["bad"] else "all"
    filter_ = visit.query.get("result", default_filter)
    filter_ = filter_ if filter_ in FILTERS else default_filter
    lines, next_cursor = _lines(visit, row, "" if filter_ == "all" else filter_)
    return html_response.page(
        visit,
        "import.html",
        one=detail["import"],
        may=[action["action"] for action in detail["available_actions"]],
        upload=detail.get("upload"),
        filters=FILTERS,
        only=filter_,
        lines=lines,
        further=next_cursor,
        first_page="cursor" not in visit.query,
        moving=row["status"] in MOVING,
        done=flash(visit),
    )


@router.post(f"{IMPORT}/start")
def post_start(raw_id: str) -> Response[str]:
    return _run(raw_id, "start", import_commands.start)


@router.post(f"{IMPORT}/pause")
def post_pause(raw_id: str) -> Response[str]:
    return _run(raw_id, "pause", import_commands.pause)


@router.post(f"{IMPORT}/resume")
def post_resume(raw_id: str) -> Response[str]:
    return _run(raw_id, "resume", import_commands.resume)


@router.post(f"{IMPORT}/cancel")
def post_cancel(raw_id: str) -> Response[str]:
    return _run(raw_id, "cancel", import_commands.cancel)


def _run(raw_id: str, name: str, run_command: Callable[..., ImportRow]) -> Response[str]:
    visit = visit_of(router)
    run_command(visit.table, visit.owner, import_id(raw_id), clock.now())
    return html_response.go_to(visit, flash_link(f"{IMPORTS}/{raw_id}", f"import_{name}"))


def _from_upload(visit: PageRequest, draft: dict[str, str]) -> ImportRow:
    file = file_upload.uploaded_file(visit, "import")
    row = _create(visit, draft, file.name, len(file.body))
    files.put_once(import_commands.file_of(row), file.body, import_commands.UPLOAD_TYPE)
    return import_commands.start(visit.table, visit.owner, row["id"], clock.now())


def _from_announcement(visit: PageRequest, draft: dict[str, str]) -> ImportRow:
    size = file_upload.announced_size(visit, "import", import_commands.FILE_MAX)
    return _create(visit, draft, visit.form.get("filename", ""), size)


def _create(visit: PageRequest, draft: dict[str, str], name: str, size: int) -> ImportRow:
    """Create an import. The file name loses its folders, and a long one keeps its end."""
    filename = re.split(r"[/\\]", name)[-1][-200:].strip() or "file"
    fields = {"filename": filename, "size": size, "intent_text": draft["intent_text"].strip()}
    form = validate(Import, {**fields, "process": draft["rests"] != "1", "profile": visit.likes["profile"]})
    return import_commands.create_import(
        visit.table, visit.owner, import_commands.ImportRequest(**form.model_dump()), "", clock.now()
    )


def _page(visit: PageRequest, status: int = 200, **overrides: Any) -> Response[str]:
    rows = [views.view(row) for row in imports_of(visit.table, visit.owner)[:LISTED]]
    values = {
        "imports": rows,
        "sources": SOURCES,
        "sent_max": file_upload.SENT_MAX,
        "wrong": "",
        "done": flash(visit),
    }
    draft = {"intent_text": "", "rests": ""}
    return html_response.page(visit, "imports.html", status, **{"draft": draft, **values, **overrides})


def _lines(visit: PageRequest, row: ImportRow, filter_: str) -> tuple[list[dict[str, Any]], str | None]:
    """The lines of a page. Matching lines can be far apart, so it takes several queries."""
    lines: list[dict[str, Any]] = []
    cursor = visit.query.get("cursor") or None
    for _ in range(LOOKS):
        rows, cursor = results.list_results(visit.table, row, filter_, cursor, LINES - len(lines))
        lines += rows
        if cursor is None or len(lines) >= LINES:
            break
    return lines, cursor
