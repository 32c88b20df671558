"""Imports: a place for the file, then start, watch, pause, resume, cancel."""

from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.read.imports import import_commands, results, views
from readdo.store.imports import imports_of
from readdo.web.errors import ApiError
from readdo.web.path_params import import_id
from readdo.web.requests import Empty, Import
from routes.filters import limit_of, one_of
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()
Ask = Callable[..., dict[str, Any]]


@router.post("/import")
def post_import() -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(Import)
    if body.size > import_commands.FILE_MAX:
        words = f"A file of more than {import_commands.FILE_MAX // 1_000_000} MB cannot be imported at once."
        more = "Split it, or leave out of it the saved pages: their links are enough."
        raise ApiError(413, "TOO_LARGE", f"{words} {more}")
    wish = import_commands.ImportRequest(**body.model_dump())
    row = import_commands.create_import(asked.table, asked.owner, wish, asked.key(), clock.now())
    return reply(202, views.detail(row), Location=f"/imports/{row['id']}")


@router.get("/imports")
def get_imports() -> Response[str]:
    asked = RequestContext(router)
    asked.refuse_unknown_queries()
    return reply(200, {"imports": [views.view(row) for row in imports_of(asked.table, asked.owner)]})


@router.get("/imports/<given>")
def get_import(given: str) -> Response[str]:
    asked = RequestContext(router)
    return reply(200, views.detail(import_commands.find(asked.table, asked.owner, import_id(given))))


@router.get("/imports/<given>/lines")
def get_lines(given: str) -> Response[str]:
    asked = RequestContext(router)
    asked.refuse_unknown_queries()
    row = import_commands.find(asked.table, asked.owner, import_id(given))
    only = asked.query("result") or ""
    if only:
        one_of("result", only, results.RESULTS)
    found, cursor = results.list_results(asked.table, row, only, asked.query("cursor"), limit_of(asked.query("limit")))
    return reply(200, {"lines": found, "next_cursor": cursor})


@router.post("/imports/<given>/start")
def post_start(given: str) -> Response[str]:
    return _moved(given, import_commands.start)


@router.post("/imports/<given>/pause")
def post_pause(given: str) -> Response[str]:
    return _moved(given, import_commands.pause)


@router.post("/imports/<given>/resume")
def post_resume(given: str) -> Response[str]:
    return _moved(given, import_commands.resume)


@router.post("/imports/<given>/cancel")
def post_cancel(given: str) -> Response[str]:
    return _moved(given, import_commands.cancel)


def _moved(given: str, ask: Ask) -> Response[str]:
    asked = RequestContext(router)
    asked.body(Empty)
    return reply(200, views.detail(ask(asked.table, asked.owner, import_id(given), clock.now())))
