"""An error as a page, in the reader's language."""

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

from readdo.quiet import log_error
from readdo.web import errors
from readdo.web.errors import ApiError
from screens import mistakes, shown
from screens.visit import Visit


def no_such_page() -> ApiError:
    return ApiError(404, "NO_SUCH_PAGE", "There is no such page.")


def shown_for(error: Exception, app: APIGatewayHttpResolver) -> Response[str]:
    visit: Visit = app.context.get("visit") or Visit(app.current_event.raw_event)
    known = errors.of(error)
    if known is None:
        request = app.lambda_context.aws_request_id
        log_error("unexpected", error, request_id=request)
        known = error = mistakes.Told(500, "INTERNAL_ERROR", visit.words("error.unexpected", request=request))
    return shown.page(
        visit, "trouble.html", known.status, trouble=mistakes.sentence(error, visit.words), code=known.code
    )
