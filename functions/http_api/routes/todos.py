"""Route to accept a todo as a task."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.do.requests import AcceptTodo
from readdo.do.todo_acceptance import accept
from readdo.web.errors import not_found
from readdo.web.path_params import item_id
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()


@router.post("/items/<raw_id>/todos/<number>/accept")
def post_accept(raw_id: str, number: str) -> Response[str]:
    context = RequestContext(router)
    body = context.body(AcceptTodo)
    todo_item = item_id(raw_id)
    if not (number.isascii() and number.isdigit() and len(number) <= 2):
        raise not_found("todo")
    result, is_new = accept(
        context.command_context("accept", body, item=todo_item, number=number),
        todo_item,
        int(number),
        body.version,
        body.priority or "",
    )
    return reply(201 if is_new else 200, result, Location=f"/tasks/{result['task']['id']}")
