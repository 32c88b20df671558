"""The page of the assignments by state, with figures, warnings, and a form for new assignments."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.collect import assignment_lists, views
from readdo.collect.assignment_requests import add_assignments
from readdo.collect.batch_pick import pick_batch
from readdo.collect.figures import STATES, stats
from readdo.errors import BadCursor
from readdo.lifecycle.assignment import SKIPPED
from readdo.lifecycle.collect_batch import OWN_WORKER
from readdo.store.commands import CommandContext
from readdo.web.errors import ApiError
from screens import html_response
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
POOL = f"{HOME}/collect"
NAVIGATION = ((35, "collect", POOL),)
LISTED = 50
_ANY: dict[str, list[str]] = {"status": [], "type": [], "priority": [], "batch": []}


@router.get(POOL)
def get_pool() -> Response[str]:
    return _page(visit_of(router))


@router.post(POOL)
def post_pool() -> Response[str]:
    """Add assignments from the JSON of the form. A refused one keeps the form."""
    visit = visit_of(router)
    draft = visit.form.get("json", "")
    try:
        value = json.loads(draft)
    except (ValueError, RecursionError) as error:
        return add_page(visit, draft, [], visit.words("collect.wrong.json", problem=error))
    return add(visit, value, draft)


@router.post(f"{POOL}/pick")
def post_pick() -> Response[str]:
    """Let our own worker do a batch."""
    visit = visit_of(router)
    context = CommandContext(visit.table, visit.owner, "pick", clock.now(), operation="collect")
    batch = pick_batch(context, OWN_WORKER)
    if batch is None:
        return html_response.go_to(visit, flash_link(POOL, "batch_none"))
    return html_response.go_to(visit, flash_link(f"{POOL}/batches/{batch['batch_name']}", "batch_picked"))


def add(visit: PageRequest, value: Any, draft: str, key: str = "") -> Response[str]:
    try:
        answer, _ = add_assignments(visit.table, visit.owner, value, clock.now(), key, split=False)
    except ApiError as refused:
        problems = [
            {"id": result["id"], "text": error["message"]}
            for result in (refused.details or {}).get("results", [])
            for error in result["errors"]
        ]
        return add_page(visit, draft, problems, "" if problems else refused.message)
    if answer["errors"]:
        problems = [{"id": error["id"], "text": error["message"]} for error in answer["errors"]]
        return add_page(visit, draft, problems, visit.words("collect.wrong.taken", n=len(answer["assignments"])))
    return html_response.go_to(visit, flash_link(POOL, "assignments_added"))


def add_page(visit: PageRequest, draft: str, problems: list[dict[str, Any]], wrong: str) -> Response[str]:
    return _page(visit, 400, draft=draft, problems=problems, wrong=wrong or visit.words("collect.wrong.refused"))


def _page(visit: PageRequest, status: int = 200, **overrides: Any) -> Response[str]:
    only = visit.query.get("state", "")
    only = only if only in STATES else ""
    rows, further = listed(visit, only)
    values = {
        "figures": stats(visit.table, visit.owner),
        "states": STATES,
        "assignments": [views.assignment(row, visit.words.language) for row in rows],
        "only": only,
        "further": further,
        "first_page": not visit.query.get("cursor"),
        "draft": "",
        "problems": [],
        "wrong": "",
        "section": POOL,
        "done": flash(visit),
    }
    return html_response.page(visit, "pool.html", status, **{**values, **overrides})


def listed(visit: PageRequest, state: str) -> tuple[list[Any], str | None]:
    """A page of assignments. A cursor that somebody made up shows the first page."""
    filters = {**_ANY, "status": [state] if state else []}
    cursor = visit.query.get("cursor", "") if visit.method == "GET" else ""
    try:
        return assignment_lists.list_assignments(visit.table, visit.owner, filters, cursor, LISTED)
    except BadCursor:
        return assignment_lists.list_assignments(visit.table, visit.owner, filters, "", LISTED)


@router.get(f"{POOL}/permissions")
def get_permissions() -> Response[str]:
    """List what waits for a permission, ready to hand to a person."""
    visit = visit_of(router)
    rows, further = listed(visit, SKIPPED)
    resumed = assignment_lists.resumed_by(visit.table, visit.owner, [row["id"] for row in rows])
    waiting = [views.assignment(row) | {"documents": row["documents"]} for row in rows if row["id"] not in resumed]
    return html_response.page(
        visit, "permissions.html", waiting=waiting, further=further, section=POOL, done=flash(visit)
    )
