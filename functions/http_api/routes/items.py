"""Capture, the list, one item."""

import json
from typing import get_args

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import item_tasks
from readdo.lifecycle.conditions import Clause, OneOf, both
from readdo.lifecycle.item import ARCHIVED, CAPTURED, FAILED, PROCESSING, QUEUED, READY, SHIPPED
from readdo.read import actions, views
from readdo.read.capture import capture
from readdo.read.capture_request import CaptureRequest
from readdo.store import artifacts, history, inbox, keys
from readdo.store.exports import exports_of
from readdo.web.errors import invalid
from readdo.web.path_params import item_id
from readdo.web.requests import Capture, SourceType
from readdo.web.versions import tag_of, tag_of_text
from routes.filters import limit_of, one_of
from routes.request_context import RequestContext, living_item, reply, seen_already

router = APIGatewayHttpRouter()
QUERY_MAX = 200
_VALUES = {
    "status": (CAPTURED, QUEUED, PROCESSING, READY, *FAILED, SHIPPED, ARCHIVED, "FAILED_*"),
    "priority": tuple(inbox.READY_BANDS),
    "source_type": get_args(SourceType),
}


@router.post("/capture")
def post_capture() -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(Capture)
    wish = CaptureRequest(
        **body.model_dump(exclude={"capture_id", "tags"}),
        tags=tuple(body.tags),
        capture_id=str(body.capture_id or ""),
        idempotency_key=asked.key(),
    )
    found = capture(asked.table, asked.owner, wish, clock.now())
    shown = {"item": views.item(found.item)} | ({"joined": True} if found.joined else {})
    return reply(201 if found.new else 200, shown, Location=f"/items/{found.item['id']}")


@router.get("/items")
def get_items() -> Response[str]:
    asked = RequestContext(router)
    asked.refuse_unknown_queries()
    ask = inbox.InboxQuery(
        asked.owner,
        sort=one_of("sort", asked.query("sort") or inbox.BY_SCORE, inbox.SORTS),
        limit=limit_of(asked.query("limit")),
        cursor=asked.query("cursor"),
        only=_filter(asked),
        bands=inbox.bands_of(_named(asked, "status"), _named(asked, "priority")),
        words=inbox.words_of(_words(asked.words("q"))),
    )
    rows, cursor = inbox.page(asked.table, ask)
    shown = {"items": [views.listed(row) for row in rows], "next_cursor": cursor}
    tag = tag_of_text(json.dumps(shown))
    return seen_already(tag) if asked.has_seen(tag) else reply(200, shown, ETag=tag)


@router.get("/items/<given>")
def get_item(given: str) -> Response[str]:
    asked = RequestContext(router)
    asked.refuse_unknown_queries()
    item = living_item(asked.table, keys.item(asked.owner, item_id(given)))
    # Counted in the transaction that makes one, so nobody looks for what there never was.
    rows = exports_of(asked.table, asked.owner, given) if item["versions"]["export"] else []
    more = {name for name in ("include_history", "versions") if asked.says_yes(name)}
    tasks = item_tasks.tasks_of(asked.table, item, clock.now())
    tag = tag_of(item["version"], *(row["version"] for row in (*rows, *tasks)), *sorted(more))
    if asked.has_seen(tag):
        return seen_already(tag)
    shown = artifacts.shown(asked.table, item)
    exports = [views.export(row) for row in rows]
    if shipped := [e for e in exports if e["status"] == "DONE"]:
        shown["export"] = shipped[-1]
    found = {"item": views.item(item), "artifacts": shown, "exports": exports}
    found |= {"failure": item["failure"]} if "failure" in item else {}
    found |= {"tasks": item_tasks.summarize(tasks)} if tasks else {}
    found["available_actions"] = actions.available(item)
    if "include_history" in more:
        found["history"] = views.history(history.whole(asked.table, item))
    if "versions" in more:
        found["versions"] = artifacts.versions(asked.table, item)
    return reply(200, found, ETag=tag)


def _filter(asked: RequestContext) -> Clause | None:
    clauses = [OneOf(name, named) for name in _VALUES if (named := _named(asked, name))]
    return both(*clauses) if clauses else None


def _named(asked: RequestContext, name: str) -> tuple[str, ...]:
    """The values of a filter, each once; FAILED_* stands for three."""
    values = [one_of(name, value, _VALUES[name]) for value in asked.queries(name)]
    return tuple(dict.fromkeys(v for value in values for v in (FAILED if value == "FAILED_*" else (value,))))


def _words(text: str) -> str:
    if len(text) > QUERY_MAX:
        raise invalid(f"q is too long: at most {QUERY_MAX} characters.", {"q": f"at most {QUERY_MAX} characters"})
    return text
