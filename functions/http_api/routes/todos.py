"""A todo that is accepted is a task."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.do.todo_acceptance import accept
from readdo.web.do_requests import AcceptTodo
from readdo.web.errors import not_found
from readdo.web.path_params import item_id
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()


@router.post("/items/<given>/todos/<number>/accept")
def post_accept(given: str, number: str) -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(AcceptTodo)
    found = item_id(given)
    if not (number.isascii() and number.isdigit() and len(number) <= 2):
        raise not_found("todo")
    answer, new = accept(
        asked.of_do("accept", body, item=found, number=number), found, int(number), body.version, body.priority or ""
    )
    return reply(201 if new else 200, answer, Location=f"/tasks/{answer['task']['id']}")
