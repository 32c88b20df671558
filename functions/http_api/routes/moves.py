"""What a person may do to an item: each call is one command, and the table says whether it may be."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.read import commands
from readdo.read.commands import Build, Command
from readdo.web.requests import Archive, Body, Empty, Process, Unarchive
from routes.asked import Asked, item_id, reply

router = APIGatewayHttpRouter()
TRIGGER_OF = {"PROCESS": "process", "RETRY": "retry", "REGENERATE": "regenerate"}


def _carry_out(given: str, name: str, body: Body, build: Build, *, status: int = 200, key: str = "") -> Response[str]:
    asked = Asked(router)
    request = body.model_dump(exclude={"process_request_id"})
    command = Command(asked.owner, item_id(given), name, asked.key(key, "process_request_id"), request)
    return reply(status, {"item": commands.carry_out(asked.table, command, build, clock.now())})


@router.post("/items/<given>/process")
def post_process(given: str) -> Response[str]:
    body = Asked(router).body(Process)
    build = commands.requeue(TRIGGER_OF[body.mode], body.options.template_profile)
    return _carry_out(given, "process", body, build, status=202, key=body.process_request_id)


@router.post("/items/<given>/keep")
def post_keep(given: str) -> Response[str]:
    return _carry_out(given, "keep", Asked(router).body(Empty), commands.keep)


@router.post("/items/<given>/ship")
def post_ship(given: str) -> Response[str]:
    return _carry_out(given, "ship", Asked(router).body(Empty), commands.ship)


@router.post("/items/<given>/archive")
def post_archive(given: str) -> Response[str]:
    body = Asked(router).body(Archive)
    return _carry_out(given, "archive", body, commands.archive(body.reason))


@router.post("/items/<given>/unarchive")
def post_unarchive(given: str) -> Response[str]:
    body = Asked(router).body(Unarchive)
    build = commands.unarchive_anew if body.regenerate else commands.unarchive
    return _carry_out(given, "unarchive", body, build)
