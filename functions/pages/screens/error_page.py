"""Render an error as a page in the user's language."""

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

from readdo.api.registry import to_api_error
from readdo.runtime import log_error
from readdo.web.errors import ApiError
from screens import error_texts, html_response
from screens.page_request import PageRequest


def no_such_page() -> ApiError:
    return ApiError(404, "NO_SUCH_PAGE", "There is no such page.")


def render_error(error: Exception, app: APIGatewayHttpResolver) -> Response[str]:
    visit: PageRequest = app.context.get("visit") or PageRequest(app.current_event.raw_event)
    api_error = to_api_error(error)
    if api_error is None:
        request_id = app.lambda_context.aws_request_id
        log_error("unexpected", error, request_id=request_id)
        api_error = error = error_texts.LocalizedError(
            500, "INTERNAL_ERROR", visit.words("error.unexpected", request=request_id)
        )
    return html_response.page(
        visit, "trouble.html", api_error.status, trouble=error_texts.sentence(error, visit.words), code=api_error.code
    )
