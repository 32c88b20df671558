"""Buttons: each is a form that asks for one move of the table, and then shows where it was."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.lifecycle.export import FAILED
from readdo.read import exports, item_commands, item_deletion, item_transactions
from readdo.read.exports import ExportRequest
from readdo.read.item_transactions import Build, Command
from readdo.store.exports import exports_of
from readdo.web.body_validation import validate
from readdo.web.errors import not_found
from readdo.web.path_params import item_id
from readdo.web.requests import Export
from screens import html_response
from screens.flash import flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, ITEM, PageRequest

router = APIGatewayHttpRouter()
BUILDS: Mapping[str, Build] = {
    "process": item_commands.requeue("process"),
    "retry": item_commands.requeue("retry"),
    "regenerate": item_commands.requeue("regenerate"),
    "keep": item_commands.keep,
    "ship": item_commands.ship,
    "archive": item_commands.archive(None),
    "unarchive": item_commands.unarchive,
}


@router.post(f"{ITEM}/do/delete")
def post_delete(given: str) -> Response[str]:
    visit = visit_of(router)
    carry_out(visit, given, "delete", {}, item_deletion.delete)
    item_deletion.at_once(visit.table, visit.owner, given)
    return html_response.go_to(visit, flash_link(HOME, "delete"))


@router.post(f"{ITEM}/do/export")
def post_export(given: str) -> Response[str]:
    """A failed set is made whole; otherwise the set that was chosen, or the usual one, under a key of what it is."""
    visit = visit_of(router)
    formats, item = visit.sent.get("formats", []), item_id(given)
    failed = None if formats else _failed(visit, item)
    asked = validate(Export, {**({"formats": formats} if formats else {}), "options": _options(visit)})
    wish = ExportRequest("", tuple(dict.fromkeys(asked.formats)), asked.options.theme, asked.options.layout)
    key = exports.usual_key(visit.table, visit.owner, item, wish)
    exports.request_export(visit.table, visit.owner, item, failed or wish.under(key), clock.now())
    return html_response.go_to(visit, flash_link(visit.way_back(f"{HOME}/items/{item}"), "export", item))


@router.post(f"{ITEM}/do/<name>")
def post_do(given: str, name: str) -> Response[str]:
    visit = visit_of(router)
    if name not in BUILDS:
        raise not_found("button")
    carry_out(visit, given, name, {}, BUILDS[name])
    return html_response.go_to(visit, flash_link(visit.way_back(f"{HOME}/items/{given}"), name, given))


def _failed(visit: PageRequest, item: str) -> ExportRequest | None:
    rows = [row for row in exports_of(visit.table, visit.owner, item) if row["status"] == FAILED]
    return ExportRequest.of(rows[-1]) if rows else None


def _options(visit: PageRequest) -> dict[str, Any]:
    return {name: visit.form[name] for name in ("theme", "layout") if visit.form.get(name)}


def carry_out(visit: PageRequest, given: str, name: str, request: Mapping[str, Any], build: Build) -> dict[str, Any]:
    command = Command(visit.owner, item_id(given), name, "", request)
    return item_transactions.carry_out(visit.table, command, build, clock.now())
