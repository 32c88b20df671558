"""Error responses: known errors with their text, unexpected errors with a request id."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo.api.registry import to_api_error
from readdo.runtime import log_error
from readdo.web.errors import ApiError


def error_response(error: Exception, context: LambdaContext) -> ApiError:
    return to_api_error(error) or _unexpected_error(error, context)


def _unexpected_error(error: Exception, context: LambdaContext) -> ApiError:
    """Log the type and place of an error. The caller gets only the request id."""
    request_id = context.aws_request_id
    log_error("unexpected", error, request_id=request_id)
    text = f"Something went wrong on our side. Try again; if it stays, look for request {request_id} in the log."
    return ApiError(500, "INTERNAL_ERROR", text, {"request_id": request_id})


def response(error: ApiError) -> Response[str]:
    return Response(error.status, "application/json", _text(error), headers=error.headers)


def gateway_response(error: ApiError) -> dict[str, Any]:
    """The response as API Gateway expects it, for errors before routing."""
    headers = {"Content-Type": "application/json", **error.headers}
    return {"statusCode": error.status, "headers": headers, "body": _text(error)}


def _text(error: ApiError) -> str:
    return json.dumps(error.body, ensure_ascii=False)
