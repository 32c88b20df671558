"""pages: the web page. Who looks, at what, one call into the domain, and every error as a page in words."""

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
app.use(middlewares=[page_auth.keeper])
for part in (
    *(assets, imports, capture_form, item_forms, item_actions, sign_in, webhooks, inbox, item, restores),
    *(board, desk_health, settings, backups, task, versions, task_actions),
):
    app.include_router(part.router)


@app.not_found
def no_such_page(_: NotFoundError) -> Response[str]:
    return error_page.shown_for(error_page.no_such_page(), app)


@app.exception_handler(Exception)  # type: ignore[untyped-decorator]
def in_words(error: Exception) -> Response[str]:
    return error_page.shown_for(error, app)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    http = event["requestContext"]["http"]
    only_looks = http["method"] == "HEAD"
    http["method"] = "GET" if only_looks else http["method"]
    answer = dict(app.resolve(event, context))
    return {**answer, "body": "", "isBase64Encoded": False} if only_looks else answer
