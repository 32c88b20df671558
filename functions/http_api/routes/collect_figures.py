"""Routes for the figures, the violations and the file formats of the Collect desk."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.collect import figures, violations
from readdo.collect.requests import FILE_SCHEMAS
from readdo.web.errors import invalid, not_found
from readdo.web.path_params import is_item_id
from readdo.web.request_body import Empty
from routes.request_context import RequestContext, limit_of, reply

router = APIGatewayHttpRouter()


@router.get("/collect/stats")
def get_stats() -> Response[str]:
    context = RequestContext(router)
    return reply(200, figures.stats(context.table, context.owner))


@router.post("/collect/recount")
def post_recount() -> Response[str]:
    context = RequestContext(router)
    context.body(Empty)
    context.key()
    result = figures.recount(context.table, context.owner)
    return reply(200, {"counted": result.counted, "drift": result.drift})


@router.get("/collect/violations")
def get_violations() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    cursor = context.query("cursor") or ""
    if cursor and not is_item_id(cursor):
        raise invalid("cursor is not from this list.", {"cursor": "is not from this list"})
    listed, after = violations.list_violations(context.table, context.owner, cursor, limit_of(context.query("limit")))
    return reply(200, {"violations": listed, "next_cursor": after})


@router.get("/collect/schemas/<name>")
def get_schema(name: str) -> Response[str]:
    if name not in FILE_SCHEMAS:
        raise not_found("schema")
    return reply(200, FILE_SCHEMAS[name])
