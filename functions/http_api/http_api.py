"""http_api: the JSON API. Who asks, what for, one call into the domain, and every error in words."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo.runtime import logger, setting
from readdo.store.table import DynamoTable
from readdo.web import auth, body, errors
from readdo.web.errors import ApiError
from routes import items, moves, shipping

app = APIGatewayHttpResolver()
for desk in (items, moves, shipping):
    app.include_router(desk.router)


@app.not_found
def no_such_route(_: NotFoundError) -> Response[str]:
    asked = f"{app.current_event.http_method} {app.current_event.path}"
    return answer(ApiError(404, "NOT_FOUND", f"There is no call {asked[:200]}. See docs/api.md for those there are."))


@app.exception_handler(Exception)  # type: ignore[untyped-decorator] # as above
def in_words(error: Exception) -> Response[str]:
    return answer(errors.of(error) or unexpected(app.lambda_context))


def unexpected(context: LambdaContext) -> ApiError:
    """Within the handling of the error: the log has all of it, the caller an id to find it by."""
    logger.exception("unexpected", extra={"request_id": context.aws_request_id})
    request_id = context.aws_request_id
    words = f"Something went wrong on our side. Try again; if it stays, look for request {request_id} in the log."
    return ApiError(500, "INTERNAL_ERROR", words, {"request_id": request_id})


def answer(error: ApiError) -> Response[str]:
    return Response(error.status, "application/json", json.dumps(error.body, ensure_ascii=False))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    table = DynamoTable(setting("TABLE_NAME"))
    try:
        event["body"], event["isBase64Encoded"] = body.text_of(event), False
        method = event["requestContext"]["http"]["method"]
        app.append_context(bearer=auth.bearer(table, event.get("headers", {}), method), table=table)
    except Exception as error:
        told = errors.of(error) or unexpected(context)
        headers = {"Content-Type": "application/json"}
        return {"statusCode": told.status, "headers": headers, "body": json.dumps(told.body, ensure_ascii=False)}
    return dict(app.resolve(event, context))
