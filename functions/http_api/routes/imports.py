"""Routes for imports: create, start, read, pause, resume, cancel."""

from collections.abc import Callable

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.transfer.imports import import_commands, results, views
from readdo.transfer.imports.import_commands import imports_of
from readdo.transfer.requests import Import
from readdo.transfer.rows import ImportRow
from readdo.web.errors import ApiError
from readdo.web.path_params import import_id
from readdo.web.request_body import Empty
from routes.request_context import RequestContext, limit_of, one_of, reply

router = APIGatewayHttpRouter()
ImportCommand = Callable[..., ImportRow]


@router.post("/import")
def post_import() -> Response[str]:
    context = RequestContext(router)
    body = context.body(Import)
    if body.size > import_commands.FILE_MAX:
        text = f"A file of more than {import_commands.FILE_MAX // 1_000_000} MB cannot be imported at once."
        advice = "Split it, or leave out of it the saved pages: their links are enough."
        raise ApiError(413, "TOO_LARGE", f"{text} {advice}")
    import_request = import_commands.ImportRequest(**body.model_dump())
    row = import_commands.create_import(context.table, context.owner, import_request, context.key(), clock.now())
    return reply(202, views.detail(row), Location=f"/imports/{row['id']}")


@router.get("/imports")
def get_imports() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    return reply(200, {"imports": [views.view(row) for row in imports_of(context.table, context.owner)]})


@router.get("/imports/<raw_id>")
def get_import(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    return reply(200, views.detail(import_commands.find(context.table, context.owner, import_id(raw_id))))


@router.get("/imports/<raw_id>/lines")
def get_lines(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    row = import_commands.find(context.table, context.owner, import_id(raw_id))
    filter_ = context.query("result") or ""
    if filter_:
        one_of("result", filter_, results.RESULTS)
    lines, cursor = results.list_results(
        context.table, row, filter_, context.query("cursor"), limit_of(context.query("limit"))
    )
    return reply(200, {"lines": lines, "next_cursor": cursor})


@router.post("/imports/<raw_id>/start")
def post_start(raw_id: str) -> Response[str]:
    return _run(raw_id, import_commands.start)


@router.post("/imports/<raw_id>/pause")
def post_pause(raw_id: str) -> Response[str]:
    return _run(raw_id, import_commands.pause)


@router.post("/imports/<raw_id>/resume")
def post_resume(raw_id: str) -> Response[str]:
    return _run(raw_id, import_commands.resume)


@router.post("/imports/<raw_id>/cancel")
def post_cancel(raw_id: str) -> Response[str]:
    return _run(raw_id, import_commands.cancel)


def _run(raw_id: str, run_command: ImportCommand) -> Response[str]:
    context = RequestContext(router)
    context.body(Empty)
    return reply(200, views.detail(run_command(context.table, context.owner, import_id(raw_id), clock.now())))
