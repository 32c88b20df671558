"""How an error is told to the caller: the domain's in its own words, ours by an id to find it by."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo.error_redaction import log_error
from readdo.web import errors
from readdo.web.errors import ApiError


def error_response(error: Exception, context: LambdaContext) -> ApiError:
    return errors.of(error) or _unexpected(error, context)


def _unexpected(error: Exception, context: LambdaContext) -> ApiError:
    """The log has its kind and place, the caller an id to find it by."""
    request_id = context.aws_request_id
    log_error("unexpected", error, request_id=request_id)
    words = f"Something went wrong on our side. Try again; if it stays, look for request {request_id} in the log."
    return ApiError(500, "INTERNAL_ERROR", words, {"request_id": request_id})


def response(error: ApiError) -> Response[str]:
    return Response(error.status, "application/json", _text(error), headers=error.headers)


def plain(error: ApiError) -> dict[str, Any]:
    """As the gateway takes it, where there is no route yet."""
    headers = {"Content-Type": "application/json", **error.headers}
    return {"statusCode": error.status, "headers": headers, "body": _text(error)}


def _text(error: ApiError) -> str:
    return json.dumps(error.body, ensure_ascii=False)
