"""Pages function: authenticate a browser, call the domain, and render HTML."""

from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext
from screens import (
    assets,
    backups,
    board,
    capture_form,
    desk_health,
    error_page,
    imports,
    inbox,
    item,
    item_actions,
    item_forms,
    page_auth,
    restores,
    settings,
    sign_in,
    task,
    task_actions,
    versions,
    webhooks,
)

app = APIGatewayHttpResolver()
app.use(middlewares=[page_auth.authenticate])
for part in (
    *(assets, imports, capture_form, item_forms, item_actions, sign_in, webhooks, inbox, item, restores),
    *(board, desk_health, settings, backups, task, versions, task_actions),
):
    app.include_router(part.router)


@app.not_found
def render_not_found(_: NotFoundError) -> Response[str]:
    return error_page.render_error(error_page.no_such_page(), app)


@app.exception_handler(Exception)  # type: ignore[untyped-decorator]
def render_error(error: Exception) -> Response[str]:
    return error_page.render_error(error, app)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    http = event["requestContext"]["http"]
    is_head = http["method"] == "HEAD"
    http["method"] = "GET" if is_head else http["method"]
    response = dict(app.resolve(event, context))
    return {**response, "body": "", "isBase64Encoded": False} if is_head else response
