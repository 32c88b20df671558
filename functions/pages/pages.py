"""Pages function: authenticate a browser, call the domain, and render HTML."""

from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext
from screens import assets, error_page, html_response, page_auth
from screens.account import backups, imports, restores, settings, sign_in, webhooks
from screens.collect import assignment, batches, documents, pool
from screens.do import board, desk_health, task, task_actions
from screens.proof import job, jobs
from screens.read import capture_form, inbox, item, item_actions, item_forms, versions

from readdo.runtime import log_context
from readdo.web.path_params import quoted_path

app = APIGatewayHttpResolver()
app.use(middlewares=[page_auth.authenticate])
SCREENS = (
    *(capture_form, inbox, item, item_actions, item_forms, versions),
    *(board, task, task_actions, desk_health),
    *(jobs, job),
    *(pool, assignment, batches, documents),
    *(assets, sign_in, settings, imports, backups, restores, webhooks),
)
for screen in SCREENS:
    app.include_router(screen.router)
html_response.templates().globals["navigation"] = sorted(
    link for screen in SCREENS for link in getattr(screen, "NAVIGATION", ())
)


@app.not_found
def render_not_found(_: NotFoundError) -> Response[str]:
    return error_page.render_error(error_page.no_such_page(), app)


@app.exception_handler(Exception)  # type: ignore[untyped-decorator]
def render_error(error: Exception) -> Response[str]:
    return error_page.render_error(error, app)


@log_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    http = event["requestContext"]["http"]
    if not event["rawPath"].isascii():
        event["rawPath"] = quoted_path(event["rawPath"])
    is_head = http["method"] == "HEAD"
    http["method"] = "GET" if is_head else http["method"]
    response = dict(app.resolve(event, context))
    return {**response, "body": "", "isBase64Encoded": False} if is_head else response
