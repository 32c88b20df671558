"""HTTP API function: authorize a request, call the domain, and render errors."""

from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext

import error_responses
from readdo import store
from readdo.runtime import log_context
from readdo.web import auth, path_params, request_body
from routes.all_routes import include_routes
from routes.request_context import OPEN_PATHS, check_call, no_such_call
from write_only_filter import strip_content

app = APIGatewayHttpResolver()


@app.not_found
def render_not_found(_: NotFoundError) -> Response[str]:
    return error_responses.response(no_such_call(app.current_event.http_method, app.current_event.path))


@app.exception_handler(Exception)  # type: ignore[untyped-decorator] # as above
def render_error(error: Exception) -> Response[str]:
    return error_responses.response(error_responses.error_response(error, app.lambda_context))


@log_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    http, headers = event["requestContext"]["http"], event.get("headers", {})
    if auth.is_preflight(http["method"], headers):
        return {"statusCode": 204}  # the gateway adds the headers
    if not event["rawPath"].isascii():
        event["rawPath"] = path_params.quoted_path(event["rawPath"])
    http["method"] = "GET" if (is_head := http["method"] == "HEAD") else http["method"]
    try:
        may_read = _authorize(event, http["method"], headers)
        include_routes(app, event["rawPath"])
        resolved = dict(app.resolve(event, context))
        response = resolved if may_read else strip_content(resolved)
    except Exception as error:
        response = error_responses.gateway_response(error_responses.error_response(error, context))
    return {**response, "body": "" if is_head else response["body"]}


def _authorize(event: dict[str, Any], method: str, headers: dict[str, str]) -> bool:
    """Authorize the caller and decode the body. True if the token may read."""
    app.append_context(table=(table := store.open_table()))
    may_read = True
    if event["rawPath"] not in OPEN_PATHS:
        bearer = auth.bearer(table, headers, *auth.scopes_of(method, event["rawPath"]))
        may_read = "read" in bearer.scopes
        app.append_context(bearer=bearer)
    check_call(method, event["rawPath"])
    event["body"], event["isBase64Encoded"] = request_body.text_of(event), False
    return may_read
