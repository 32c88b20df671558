"""How an error is told to the caller: the domain's in its own words, ours by an id to find it by."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo.runtime import logger
from readdo.web import errors
from readdo.web.errors import ApiError


def of(error: Exception, context: LambdaContext) -> ApiError:
    return errors.of(error) or _unexpected(context)


def _unexpected(context: LambdaContext) -> ApiError:
    """Within the handling of the error: the log has all of it, the caller an id to find it by."""
    logger.exception("unexpected", extra={"request_id": context.aws_request_id})
    request_id = context.aws_request_id
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
