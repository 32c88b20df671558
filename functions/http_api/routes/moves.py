"""What a person may do to an item: each call is one command, and the table says whether it may be."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.read import asking, commands, deleting, editing
from readdo.read.commands import Build, Command
from readdo.web.given import item_id
from readdo.web.requests import Archive, Body, Empty, Patch, Process, Unarchive
from routes.asked import Asked, empty, reply

router = APIGatewayHttpRouter()
TRIGGER_OF = {"PROCESS": "process", "RETRY": "retry", "REGENERATE": "regenerate"}


def carry_out(
    asked: Asked, given: str, name: str, request: dict[str, Any], build: Build, *, key: str
) -> dict[str, Any]:
    command = Command(asked.owner, item_id(given), name, key, request)
    return commands.carry_out(asked.table, command, build, clock.now())


def _answered(given: str, name: str, body: Body, build: Build, *, status: int = 200, key: str = "") -> Response[str]:
    asked = Asked(router)
    request = body.model_dump(exclude={"process_request_id"}, exclude_unset=name == "patch")
    done = carry_out(asked, given, name, request, build, key=asked.key(key, "process_request_id"))
    return reply(status, {"item": done["item"]})


@router.post("/items/<given>/process")
def post_process(given: str) -> Response[str]:
    body = Asked(router).body(Process)
    build = asking.requeue(TRIGGER_OF[body.mode], body.options.template_profile)
    return _answered(given, "process", body, build, status=202, key=body.process_request_id)


@router.post("/items/<given>/keep")
def post_keep(given: str) -> Response[str]:
    return _answered(given, "keep", Asked(router).body(Empty), asking.keep)


@router.post("/items/<given>/ship")
def post_ship(given: str) -> Response[str]:
    return _answered(given, "ship", Asked(router).body(Empty), asking.ship)


@router.post("/items/<given>/archive")
def post_archive(given: str) -> Response[str]:
    body = Asked(router).body(Archive)
    return _answered(given, "archive", body, asking.archive(body.reason))


@router.post("/items/<given>/unarchive")
def post_unarchive(given: str) -> Response[str]:
    body = Asked(router).body(Unarchive)
    return _answered(given, "unarchive", body, asking.unarchive_anew if body.regenerate else asking.unarchive)


@router.patch("/items/<given>")
def patch_item(given: str) -> Response[str]:
    asked = Asked(router)
    body = asked.body(Patch)
    build = editing.patch(body.model_dump(exclude_unset=True), asked.if_match())
    return _answered(given, "patch", body, build)


@router.delete("/items/<given>")
def delete_item(given: str) -> Response[str]:
    asked = Asked(router)
    carry_out(asked, given, "delete", {}, deleting.delete, key=asked.key())
    deleting.at_once(asked.table, asked.owner, given)
    return empty()
