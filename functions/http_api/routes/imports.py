"""Imports: a place for the file, then start, watch, pause, resume, cancel."""

from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.read.imports import asking, results, views
from readdo.store.imports import imports_of
from readdo.web.errors import ApiError
from readdo.web.given import import_id
from readdo.web.requests import Empty, Import
from routes.asked import Asked, reply
from routes.filters import limit_of, one_of

router = APIGatewayHttpRouter()
Ask = Callable[..., dict[str, Any]]


@router.post("/import")
def post_import() -> Response[str]:
    asked = Asked(router)
    body = asked.body(Import)
    if body.size > asking.FILE_MAX:
        words = f"A file of more than {asking.FILE_MAX // 1_000_000} MB cannot be imported at once. Split it, or leave "
        raise ApiError(413, "TOO_LARGE", f"{words}out of it the saved pages: their links are enough.")
    wish = asking.ImportWish(**body.model_dump())
    row = asking.ask(asked.table, asked.owner, wish, asked.key(), clock.now())
    return reply(202, views.detail(row), Location=f"/imports/{row['id']}")


@router.get("/imports")
def get_imports() -> Response[str]:
    asked = Asked(router)
    asked.refuse_unknown_queries()
    return reply(200, {"imports": [views.shown(row) for row in imports_of(asked.table, asked.owner)]})


@router.get("/imports/<given>")
def get_import(given: str) -> Response[str]:
    asked = Asked(router)
    return reply(200, views.detail(asking.find(asked.table, asked.owner, import_id(given))))


@router.get("/imports/<given>/lines")
def get_lines(given: str) -> Response[str]:
    asked = Asked(router)
    asked.refuse_unknown_queries()
    row = asking.find(asked.table, asked.owner, import_id(given))
    only = asked.query("result") or ""
    if only:
        one_of("result", only, results.RESULTS)
    found, cursor = results.listed(asked.table, row, only, asked.query("cursor"), limit_of(asked.query("limit")))
    return reply(200, {"lines": found, "next_cursor": cursor})


@router.post("/imports/<given>/start")
def post_start(given: str) -> Response[str]:
    return _moved(given, asking.start)


@router.post("/imports/<given>/pause")
def post_pause(given: str) -> Response[str]:
    return _moved(given, asking.pause)


@router.post("/imports/<given>/resume")
def post_resume(given: str) -> Response[str]:
    return _moved(given, asking.resume)


@router.post("/imports/<given>/cancel")
def post_cancel(given: str) -> Response[str]:
    return _moved(given, asking.cancel)


def _moved(given: str, ask: Ask) -> Response[str]:
    asked = Asked(router)
    asked.body(Empty)
    return reply(200, views.detail(ask(asked.table, asked.owner, import_id(given), clock.now())))
