"""Tasks: added, listed, claimed, and what a person asks of one."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import actions, task_commands, task_lists, views
from readdo.do.task_requests import PRIORITIES, ClaimRequest, TaskRequest
from readdo.do.transactions import Answer, task_of
from readdo.lifecycle.task import TASK
from readdo.web.do_requests import Block, Claim, NewTask, Requeue
from readdo.web.path_params import task_id
from readdo.web.requests import Body, Empty
from routes.filters import limit_of, one_of
from routes.request_context import RequestContext, empty, reply

router = APIGatewayHttpRouter()


@router.post("/tasks")
def post_task() -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(NewTask)
    given = body.model_dump()
    wish = TaskRequest(**{**given, "id": str(body.id or ""), "depends_on": tuple(map(str, body.depends_on))})
    answer, new = task_commands.add(asked.of_do("add", body, keyed=not body.id), wish)
    return reply(201 if new else 200, answer, Location=f"/tasks/{answer['task']['id']}")


@router.get("/tasks")
def get_tasks() -> Response[str]:
    asked = RequestContext(router)
    asked.refuse_unknown_queries()
    only = {
        "status": [one_of("status", value, TASK.states) for value in asked.queries("status")],
        "priority": [one_of("priority", value, PRIORITIES) for value in asked.queries("priority")],
        "intent": asked.queries("intent"),
        "project": asked.whole("project"),
    }
    ask = task_lists.TaskQuery(asked.owner, clock.now(), limit_of(asked.query("limit")), asked.query("cursor"), only)
    rows, cursor = task_lists.tasks_page(asked.table, ask)
    return reply(200, {"tasks": [views.task(row) for row in rows], "next_cursor": cursor})


@router.post("/tasks/claim")
def post_claim() -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(Claim)
    wish = ClaimRequest(body.worker, tuple(body.intents), body.lease_seconds, str(body.task or ""))
    found = task_commands.claim(asked.of_do("claim", body), wish)
    return reply(200, found) if found else empty()


@router.get("/tasks/<given>")
def get_task(given: str) -> Response[str]:
    asked = RequestContext(router)
    row = task_of(asked.of_do("look"), task_id(given))
    now = clock.now()
    shown: dict[str, Any] = {"task": views.whole_task(row), "runs": task_lists.runs_of(asked.table, row, now)}
    shown |= {"available_actions": actions.of_task(row, now), "history": views.history(row["history"])}
    return reply(200, shown)


@router.post("/tasks/<given>/enqueue")
def post_enqueue(given: str) -> Response[str]:
    return _moved(given, "enqueue", Empty, lambda asked, _: task_commands.enqueue(asked, given))


@router.post("/tasks/<given>/requeue")
def post_requeue(given: str) -> Response[str]:
    return _moved(
        given, "requeue", Requeue, lambda asked, body: task_commands.requeue(asked, given, regardless=body.regardless)
    )


@router.post("/tasks/<given>/block")
def post_block(given: str) -> Response[str]:
    return _moved(given, "block", Block, lambda asked, body: task_commands.block(asked, given, body.reason))


@router.post("/tasks/<given>/cancel")
def post_cancel(given: str) -> Response[str]:
    return _moved(given, "cancel", Empty, lambda asked, _: task_commands.cancel(asked, given))


def _moved(given: str, name: str, model: type[Body], act: Any) -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(model)
    answer: Answer = act(asked.of_do(name, body, task=task_id(given)), body)
    return reply(200, answer)
