"""Routes that change an item. The lifecycle table decides which actions are allowed."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.read import item_commands, item_deletion, item_edits, item_transactions
from readdo.read.item_transactions import Build, Command
from readdo.read.requests import Archive, Patch, Process, Unarchive
from readdo.web.path_params import item_id
from readdo.web.request_body import Body, Empty
from routes.request_context import RequestContext, empty, reply

router = APIGatewayHttpRouter()
TRIGGER_OF = {"PROCESS": "process", "RETRY": "retry", "REGENERATE": "regenerate"}


def carry_out(
    context: RequestContext, raw_id: str, name: str, request: dict[str, Any], build: Build, *, key: str
) -> dict[str, Any]:
    command = Command(context.owner, item_id(raw_id), name, key, request)
    return item_transactions.carry_out(context.table, command, build, clock.now())


def _run(raw_id: str, name: str, body: Body, build: Build, *, status: int = 200, key: str = "") -> Response[str]:
    context = RequestContext(router)
    request = body.model_dump(exclude={"process_request_id"}, exclude_unset=name == "patch")
    result = carry_out(context, raw_id, name, request, build, key=context.key(key, "process_request_id"))
    return reply(status, {"item": result["item"]})


@router.post("/items/<raw_id>/process")
def post_process(raw_id: str) -> Response[str]:
    body = RequestContext(router).body(Process)
    build = item_commands.requeue(TRIGGER_OF[body.mode], body.options.template_profile)
    return _run(raw_id, "process", body, build, status=202, key=body.process_request_id)


@router.post("/items/<raw_id>/keep")
def post_keep(raw_id: str) -> Response[str]:
    return _run(raw_id, "keep", RequestContext(router).body(Empty), item_commands.keep)


@router.post("/items/<raw_id>/ship")
def post_ship(raw_id: str) -> Response[str]:
    return _run(raw_id, "ship", RequestContext(router).body(Empty), item_commands.ship)


@router.post("/items/<raw_id>/archive")
def post_archive(raw_id: str) -> Response[str]:
    body = RequestContext(router).body(Archive)
    return _run(raw_id, "archive", body, item_commands.archive(body.reason))


@router.post("/items/<raw_id>/unarchive")
def post_unarchive(raw_id: str) -> Response[str]:
    body = RequestContext(router).body(Unarchive)
    return _run(raw_id, "unarchive", body, item_commands.unarchive_anew if body.regenerate else item_commands.unarchive)


@router.patch("/items/<raw_id>")
def patch_item(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    body = context.body(Patch)
    build = item_edits.patch(body.model_dump(exclude_unset=True), context.if_match())
    return _run(raw_id, "patch", body, build)


@router.delete("/items/<raw_id>")
def delete_item(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    carry_out(context, raw_id, "delete", {}, item_deletion.delete, key=context.key())
    item_deletion.at_once(context.table, context.owner, raw_id)
    return empty()
