"""An error as a page: what happened, to what, and what to do; in the reader's language where we have the words."""

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

from readdo.quiet import log_error
from readdo.web import errors
from readdo.web.errors import ApiError
from screens import shown
from screens.spoken import Words
from screens.visit import Visit


def no_such_page() -> ApiError:
    return ApiError(404, "NO_SUCH_PAGE", "There is no such page. It may have moved: go on from the inbox.")


def shown_as(error: ApiError, words: Words) -> str:
    """Errors of the domain say more than a translation by their code does, so where both are wanted both are told."""
    name = f"error.{error.code}"
    if words.language == "en" or not words.knows(name):
        return error.message
    return words(name)


def told(error: Exception, app: APIGatewayHttpResolver, words: Words) -> ApiError:
    known = errors.of(error)
    if known is not None:
        return known
    request = app.lambda_context.aws_request_id
    log_error("unexpected", error, request_id=request)
    return ApiError(500, "INTERNAL_ERROR", words("error.unexpected", request=request))


def shown_page(visit: Visit, error: ApiError) -> Response[str]:
    return shown.page(visit, "trouble.html", error.status, trouble=shown_as(error, visit.words), code=error.code)


def shown_for(error: Exception, app: APIGatewayHttpResolver) -> Response[str]:
    visit: Visit = app.context.get("visit") or Visit(app.current_event.raw_event)
    return shown_page(visit, told(error, app, visit.words))
