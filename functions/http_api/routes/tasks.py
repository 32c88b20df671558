"""Routes to add, list, claim, read and change tasks."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import actions, task_claim, task_commands, task_lists, views
from readdo.do.command_rows import task_of
from readdo.do.requests import AcceptTodo, Block, Claim, NewTask, Requeue
from readdo.do.task_requests import PRIORITIES, ClaimRequest, TaskRequest
from readdo.do.todo_acceptance import accept
from readdo.lifecycle.task import TASK
from readdo.store.commands import Answer
from readdo.web.errors import not_found
from readdo.web.path_params import item_id, task_id
from readdo.web.request_body import Body, Empty
from routes.request_context import RequestContext, empty, limit_of, one_of, reply

router = APIGatewayHttpRouter()


@router.post("/tasks")
def post_task() -> Response[str]:
    context = RequestContext(router)
    body = context.body(NewTask)
    fields = body.model_dump()
    task_request = TaskRequest(**{**fields, "id": str(body.id or ""), "depends_on": tuple(map(str, body.depends_on))})
    result, is_new = task_commands.add(context.command_context("add", body, keyed=not body.id), task_request)
    return reply(201 if is_new else 200, result, Location=f"/tasks/{result['task']['id']}")


@router.get("/tasks")
def get_tasks() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    filters = {
        "status": [one_of("status", value, TASK.states) for value in context.queries("status")],
        "priority": [one_of("priority", value, PRIORITIES) for value in context.queries("priority")],
        "intent": context.queries("intent"),
        "project": context.free_text_values("project"),
    }
    query = task_lists.TaskQuery(
        context.owner, clock.now(), limit_of(context.query("limit")), context.query("cursor"), filters
    )
    rows, cursor = task_lists.tasks_page(context.table, query)
    return reply(200, {"tasks": [views.task(row) for row in rows], "next_cursor": cursor})


@router.post("/tasks/claim")
def post_claim() -> Response[str]:
    context = RequestContext(router)
    body = context.body(Claim)
    claim_request = ClaimRequest(body.worker, tuple(body.intents), body.lease_seconds, str(body.task or ""))
    claimed = task_claim.claim(context.command_context("claim", body), claim_request)
    return reply(200, claimed) if claimed else empty()


@router.get("/tasks/<raw_id>")
def get_task(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    row = task_of(context.command_context("look"), task_id(raw_id))
    now = clock.now()
    body: dict[str, Any] = {"task": views.whole_task(row), "runs": task_lists.runs_of(context.table, row, now)}
    body |= {"available_actions": actions.of_task(row, now), "history": views.history(row["history"])}
    return reply(200, body)


@router.post("/tasks/<raw_id>/enqueue")
def post_enqueue(raw_id: str) -> Response[str]:
    return _run(raw_id, "enqueue", Empty, lambda context, _: task_commands.enqueue(context, raw_id))


@router.post("/tasks/<raw_id>/requeue")
def post_requeue(raw_id: str) -> Response[str]:
    return _run(
        raw_id,
        "requeue",
        Requeue,
        lambda context, body: task_commands.requeue(context, raw_id, regardless=body.regardless),
    )


@router.post("/tasks/<raw_id>/block")
def post_block(raw_id: str) -> Response[str]:
    return _run(raw_id, "block", Block, lambda context, body: task_commands.block(context, raw_id, body.reason))


@router.post("/tasks/<raw_id>/cancel")
def post_cancel(raw_id: str) -> Response[str]:
    return _run(raw_id, "cancel", Empty, lambda context, _: task_commands.cancel(context, raw_id))


def _run(raw_id: str, name: str, model: type[Body], act: Any) -> Response[str]:
    context = RequestContext(router)
    body = context.body(model)
    result: Answer = act(context.command_context(name, body, task=task_id(raw_id)), body)
    return reply(200, result)


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
