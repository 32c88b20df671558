"""What a person may do to an item: each call is one command, and the table says whether it may be."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.read import item_commands, item_deletion, item_edits, item_transactions
from readdo.read.item_transactions import Build, Command
from readdo.web.path_params import item_id
from readdo.web.requests import Archive, Body, Empty, Patch, Process, Unarchive
from routes.request_context import RequestContext, empty, reply

router = APIGatewayHttpRouter()
TRIGGER_OF = {"PROCESS": "process", "RETRY": "retry", "REGENERATE": "regenerate"}


def carry_out(
    asked: RequestContext, given: str, name: str, request: dict[str, Any], build: Build, *, key: str
) -> dict[str, Any]:
    command = Command(asked.owner, item_id(given), name, key, request)
    return item_transactions.carry_out(asked.table, command, build, clock.now())


def _answered(given: str, name: str, body: Body, build: Build, *, status: int = 200, key: str = "") -> Response[str]:
    asked = RequestContext(router)
    request = body.model_dump(exclude={"process_request_id"}, exclude_unset=name == "patch")
    done = carry_out(asked, given, name, request, build, key=asked.key(key, "process_request_id"))
    return reply(status, {"item": done["item"]})


@router.post("/items/<given>/process")
def post_process(given: str) -> Response[str]:
    body = RequestContext(router).body(Process)
    build = item_commands.requeue(TRIGGER_OF[body.mode], body.options.template_profile)
    return _answered(given, "process", body, build, status=202, key=body.process_request_id)


@router.post("/items/<given>/keep")
def post_keep(given: str) -> Response[str]:
    return _answered(given, "keep", RequestContext(router).body(Empty), item_commands.keep)


@router.post("/items/<given>/ship")
def post_ship(given: str) -> Response[str]:
    return _answered(given, "ship", RequestContext(router).body(Empty), item_commands.ship)


@router.post("/items/<given>/archive")
def post_archive(given: str) -> Response[str]:
    body = RequestContext(router).body(Archive)
    return _answered(given, "archive", body, item_commands.archive(body.reason))


@router.post("/items/<given>/unarchive")
def post_unarchive(given: str) -> Response[str]:
    body = RequestContext(router).body(Unarchive)
    return _answered(
        given, "unarchive", body, item_commands.unarchive_anew if body.regenerate else item_commands.unarchive
    )


@router.patch("/items/<given>")
def patch_item(given: str) -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(Patch)
    build = item_edits.patch(body.model_dump(exclude_unset=True), asked.if_match())
    return _answered(given, "patch", body, build)


@router.delete("/items/<given>")
def delete_item(given: str) -> Response[str]:
    asked = RequestContext(router)
    carry_out(asked, given, "delete", {}, item_deletion.delete, key=asked.key())
    item_deletion.at_once(asked.table, asked.owner, given)
    return empty()
