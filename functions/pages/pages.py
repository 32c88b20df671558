"""pages: the web page. Who looks, at what, one call into the domain, and every error as a page in words."""

from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext
from screens import (
    assets,
    board,
    bringing,
    capturing,
    changing,
    desk,
    doing,
    door,
    entering,
    hooks,
    inbox,
    item,
    restoring,
    settings,
    taking_out,
    task,
    troubles,
    versions,
    working,
)

app = APIGatewayHttpResolver()
app.use(middlewares=[door.keeper])
for part in (
    *(assets, bringing, capturing, changing, doing, entering, hooks, inbox, item, restoring),
    *(board, desk, settings, taking_out, task, versions, working),
):
    app.include_router(part.router)


@app.not_found
def no_such_page(_: NotFoundError) -> Response[str]:
    return troubles.shown_for(troubles.no_such_page(), app)


@app.exception_handler(Exception)  # type: ignore[untyped-decorator]
def in_words(error: Exception) -> Response[str]:
    return troubles.shown_for(error, app)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    http = event["requestContext"]["http"]
    only_looks = http["method"] == "HEAD"
    http["method"] = "GET" if only_looks else http["method"]
    answer = dict(app.resolve(event, context))
    return {**answer, "body": "", "isBase64Encoded": False} if only_looks else answer
