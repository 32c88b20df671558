"""Buttons of an item. Each is a form that runs one command and then shows the same page."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.lifecycle.export import FAILED
from readdo.read import actions, exports, item_commands, item_deletion, item_transactions
from readdo.read.exports import ExportRequest, exports_of
from readdo.read.item_transactions import Build, Command
from readdo.read.requests import Export
from readdo.read.rows import ListedItem
from readdo.web.errors import not_found
from readdo.web.path_params import item_id
from readdo.web.request_body import validate
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
# Status → the main button. Buttons that the table does not allow are hidden.
MAIN = {
    "CAPTURED": "process",
    "READY": "export",
    "FAILED_EXTRACTION": "retry",
    "FAILED_AI": "retry",
    "FAILED_EXPORT": "export",
    "SHIPPED": "export",
    "ARCHIVED": "unarchive",
}
ORDER = ("process", "export", "retry", "unarchive", "keep", "regenerate", "ship", "archive", "delete")
# Allowed actions that repeat the main button.
SAME = {"FAILED_EXTRACTION": {"process"}, "FAILED_AI": {"process"}, "FAILED_EXPORT": {"retry"}}
# The buttons in a list. The item's page has all.
ON_A_ROW = frozenset({"process", "retry", "export", "unarchive", "archive"})


@router.post(f"{ITEM}/do/delete")
def post_delete(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    carry_out(visit, raw_id, "delete", {}, item_deletion.delete)
    item_deletion.at_once(visit.table, visit.owner, raw_id)
    return html_response.go_to(visit, flash_link(HOME, "delete"))


@router.post(f"{ITEM}/do/export")
def post_export(raw_id: str) -> Response[str]:
    """Retry a failed export, or export the chosen formats under a key made from the content."""
    visit = visit_of(router)
    formats, item = visit.form_lists.get("formats", []), item_id(raw_id)
    failed = None if formats else _failed_export(visit, item)
    form = validate(Export, {**({"formats": formats} if formats else {}), "options": _options(visit)})
    export_request = ExportRequest("", tuple(dict.fromkeys(form.formats)), form.options.theme, form.options.layout)
    key = exports.default_key(visit.table, visit.owner, item, export_request)
    exports.request_export(visit.table, visit.owner, item, failed or export_request.under(key), clock.now())
    return html_response.go_to(visit, flash_link(visit.back_link(f"{HOME}/items/{item}"), "export", item))


@router.post(f"{ITEM}/do/<name>")
def post_do(raw_id: str, name: str) -> Response[str]:
    visit = visit_of(router)
    if name not in BUILDS:
        raise not_found("button")
    carry_out(visit, raw_id, name, {}, BUILDS[name])
    return html_response.go_to(visit, flash_link(visit.back_link(f"{HOME}/items/{raw_id}"), name, raw_id))


def _failed_export(visit: PageRequest, item: str) -> ExportRequest | None:
    rows = [row for row in exports_of(visit.table, visit.owner, item) if row["status"] == FAILED]
    return ExportRequest.of(rows[-1]) if rows else None


def _options(visit: PageRequest) -> dict[str, Any]:
    return {name: visit.form[name] for name in ("theme", "layout") if visit.form.get(name)}


def carry_out(visit: PageRequest, raw_id: str, name: str, request: Mapping[str, Any], build: Build) -> dict[str, Any]:
    command = Command(visit.owner, item_id(raw_id), name, "", request)
    return item_transactions.carry_out(visit.table, command, build, clock.now())


def buttons(item: ListedItem) -> dict[str, Any]:
    allowed = {action["action"] for action in actions.available(item)}
    main = MAIN.get(item["status"], "")
    others = [name for name in ORDER if name in allowed - SAME.get(item["status"], set()) and name != main]
    return {
        "main": main if main in allowed else "",
        "others": others,
        "may": sorted(allowed),
        "on_a_row": [name for name in others if name in ON_A_ROW],
    }
