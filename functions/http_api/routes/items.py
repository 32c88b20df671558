"""Routes to capture, list and read items."""

import json
from typing import get_args

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import task_lists
from readdo.lifecycle.item import ARCHIVED, CAPTURED, FAILED, PROCESSING, QUEUED, READY, SHIPPED
from readdo.lifecycle.write import Clause, OneOf, both
from readdo.read import actions, artifacts, history, inbox, item_keys, views
from readdo.read.capture import capture
from readdo.read.exports import exports_of
from readdo.read.item_rows import CaptureRequest
from readdo.read.requests import Capture, SourceType
from readdo.web.errors import invalid
from readdo.web.path_params import item_id
from readdo.web.versions import tag_of, tag_of_text
from routes.request_context import RequestContext, limit_of, living_item, not_modified, one_of, reply

router = APIGatewayHttpRouter()
QUERY_MAX = 200
_VALUES = {
    "status": (CAPTURED, QUEUED, PROCESSING, READY, *FAILED, SHIPPED, ARCHIVED, "FAILED_*"),
    "priority": tuple(item_keys.READY_BANDS),
    "source_type": get_args(SourceType),
}


@router.post("/capture")
def post_capture() -> Response[str]:
    context = RequestContext(router)
    payload = context.body(Capture)
    capture_request = CaptureRequest(
        **payload.model_dump(exclude={"capture_id", "tags"}),
        tags=tuple(payload.tags),
        capture_id=str(payload.capture_id or ""),
        idempotency_key=context.key(),
    )
    captured = capture(context.table, context.owner, capture_request, clock.now())
    response = {"item": views.item(captured.item)} | ({"joined": True} if captured.joined else {})
    return reply(201 if captured.new else 200, response, Location=f"/items/{captured.item['id']}")


@router.get("/items")
def get_items() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    query = inbox.InboxQuery(
        context.owner,
        sort=one_of("sort", context.query("sort") or inbox.BY_SCORE, inbox.SORTS),
        limit=limit_of(context.query("limit")),
        cursor=context.query("cursor"),
        only=_filter(context),
        bands=inbox.bands_of(_filter_values(context, "status"), _filter_values(context, "priority")),
        words=inbox.words_of(_search_text(context.free_text("q"))),
    )
    rows, cursor = inbox.page(context.table, query)
    body = {"items": [views.listed(row) for row in rows], "next_cursor": cursor}
    tag = tag_of_text(json.dumps(body))
    return not_modified(tag) if context.matches_etag(tag) else reply(200, body, ETag=tag)


@router.get("/items/<raw_id>")
def get_item(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    item = living_item(context.table, item_keys.item(context.owner, item_id(raw_id)))
    # Exports are counted in their transaction, so an item without exports needs no query.
    rows = exports_of(context.table, context.owner, raw_id) if item["versions"]["export"] else []
    options = {name for name in ("include_history", "versions") if context.says_yes(name)}
    tasks = task_lists.tasks_of(context.table, item, clock.now())
    tag = tag_of(item["version"], *(row["version"] for row in (*rows, *tasks)), *sorted(options))
    if context.matches_etag(tag):
        return not_modified(tag)
    shown_artifacts = artifacts.current_artifacts(context.table, item)
    exports = [views.export(row) for row in rows]
    if done_exports := [e for e in exports if e["status"] == "DONE"]:
        shown_artifacts["export"] = done_exports[-1]
    body = {"item": views.item(item), "artifacts": shown_artifacts, "exports": exports}
    body |= {"failure": item["failure"]} if "failure" in item else {}
    body |= {"tasks": task_lists.summarize(tasks)} if tasks else {}
    body["available_actions"] = actions.available(item)
    if "include_history" in options:
        body["history"] = views.history(history.full_history(context.table, item))
    if "versions" in options:
        body["versions"] = artifacts.versions(context.table, item)
    return reply(200, body, ETag=tag)


def _filter(context: RequestContext) -> Clause | None:
    clauses = [OneOf(name, values) for name in _VALUES if (values := _filter_values(context, name))]
    return both(*clauses) if clauses else None


def _filter_values(context: RequestContext, name: str) -> tuple[str, ...]:
    """The values of a filter without duplicates. FAILED_* means all three failed statuses."""
    values = [one_of(name, value, _VALUES[name]) for value in context.queries(name)]
    return tuple(dict.fromkeys(v for value in values for v in (FAILED if value == "FAILED_*" else (value,))))


def _search_text(text: str) -> str:
    if len(text) > QUERY_MAX:
        raise invalid(f"q is too long: at most {QUERY_MAX} characters.", {"q": f"at most {QUERY_MAX} characters"})
    return text
