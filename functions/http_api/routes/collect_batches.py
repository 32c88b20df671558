"""Routes for batches of assignments."""

import json

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import files
from readdo.collect import assignment_lists, batch_apply, batch_output, batch_pick, collect_keys, views
from readdo.collect.requests import NewBatch
from readdo.collect.rows import find_batch
from readdo.lifecycle.collect_batch import BATCH, PICKING
from readdo.web.errors import not_found
from readdo.web.path_params import unquoted
from routes.request_context import RequestContext, empty, limit_of, one_of, reply

router = APIGatewayHttpRouter()
_RESERVE_MS = 5000  # to answer 202 in time


@router.post("/batches")
def post_batch() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    body = context.body(NewBatch)
    batch = batch_pick.pick_batch(context.command_context("pick", body, operation="collect"), body.worker)
    if batch is None:
        return empty()
    return reply(201, {"batch": views.batch(batch)}, Location=f"/batches/{batch['batch_name']}")


@router.get("/batches")
def get_batches() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    statuses = [one_of("status", value, BATCH.states) for value in context.queries("status")]
    limit = limit_of(context.query("limit"))
    cursor = context.query("cursor") or ""
    batches, after = assignment_lists.list_batches(context.table, context.owner, statuses, cursor, limit)
    return reply(200, {"batches": [views.batch(row) for row in batches], "next_cursor": after})


@router.get("/batches/<raw_name>")
def get_batch(raw_name: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    batch = find_batch(context.table, context.owner, unquoted(raw_name, "batch"))
    body = {"batch": views.batch(batch), "moved": batch_apply.moved_assignments(context.table, batch)}
    return reply(200, {**body, "faults": batch.get("faults", [])})


@router.get("/batches/<raw_name>/input")
def get_input(raw_name: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    batch = find_batch(context.table, context.owner, unquoted(raw_name, "batch"))
    if batch["status"] == PICKING:
        raise not_found("input")
    name = collect_keys.batch_file(context.owner, batch["batch_name"], "input")
    return reply(200, json.loads(files.get(name)))


@router.get("/batches/<raw_name>/output")
def get_output(raw_name: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    batch = find_batch(context.table, context.owner, unquoted(raw_name, "batch"))
    if "output" not in batch:
        raise not_found("output")
    return reply(200, batch_apply.stored_output(batch))


@router.put("/batches/<raw_name>/output")
def put_output(raw_name: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    lambda_context = router.lambda_context
    received = batch_output.receive_output(
        context.table,
        context.owner,
        unquoted(raw_name, "batch"),
        context.text or "",
        lambda: lambda_context.get_remaining_time_in_millis() > _RESERVE_MS,
        dry_run=context.says_yes("dry_run"),
    )
    body = {"batch": views.batch(received.batch), "moved": received.moved}
    return reply(200 if received.is_applied else 202, body)
