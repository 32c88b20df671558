"""http_api: the JSON API. Who asks, what for, one call into the domain, and every error in words."""

from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext

import error_responses
from readdo import store
from readdo.web import auth, body
from readdo.web.calls import methods_of
from routes import about
from routes.all_routes import PARTS
from write_only import without_words

app = APIGatewayHttpResolver()
for part in PARTS:
    app.include_router(part.router)


@app.not_found
def no_such_route(_: NotFoundError) -> Response[str]:
    return error_responses.response(about.no_such_call(app.current_event.http_method, app.current_event.path))


@app.exception_handler(Exception)  # type: ignore[untyped-decorator] # as above
def in_words(error: Exception) -> Response[str]:
    return error_responses.response(error_responses.error_response(error, app.lambda_context))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    http, asked = event["requestContext"]["http"], event.get("headers", {})
    only_looks = http["method"] == "HEAD"
    http["method"] = "GET" if only_looks else http["method"]
    try:
        may_read = _let_in(event, http["method"], asked)
        answer = dict(app.resolve(event, context))
        answer = answer if may_read else without_words(answer)
    except Exception as error:
        answer = error_responses.plain(error_responses.error_response(error, context))
    return {**answer, "body": "" if only_looks else answer["body"]}


def _let_in(event: dict[str, Any], method: str, asked: dict[str, str]) -> bool:
    """Whether the caller may be shown what is stored."""
    table = store.open_table()
    may_read = True
    if event["rawPath"] not in about.OPEN:
        bearer = auth.bearer(table, asked, *auth.scopes_of(method, event["rawPath"]))
        may_read = "read" in bearer.scopes
        app.append_context(bearer=bearer)
    if method not in methods_of(event["rawPath"]):  # a router would take the last word of /items/batch for an item
        raise about.no_such_call(method, event["rawPath"])
    event["body"], event["isBase64Encoded"] = body.text_of(event), False
    app.append_context(table=table)
    return may_read
