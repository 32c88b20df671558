"""Buttons: each is a form that asks for one move of the table, and then shows where it was."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.lifecycle.export import FAILED
from readdo.read import asking, commands, deleting, exports
from readdo.read.commands import Build, Command
from readdo.read.exports import ExportWish
from readdo.store.exports import exports_of
from readdo.web.errors import not_found
from readdo.web.given import item_id
from readdo.web.parsing import judged
from readdo.web.requests import Export
from screens import shown
from screens.door import visit_of
from screens.flash import told
from screens.visit import HOME, ITEM, Visit

router = APIGatewayHttpRouter()
BUILDS: Mapping[str, Build] = {
    "process": asking.requeue("process"),
    "retry": asking.requeue("retry"),
    "regenerate": asking.requeue("regenerate"),
    "keep": asking.keep,
    "ship": asking.ship,
    "archive": asking.archive(None),
    "unarchive": asking.unarchive,
}


@router.post(f"{ITEM}/do/delete")
def post_delete(given: str) -> Response[str]:
    visit = visit_of(router)
    carry_out(visit, given, "delete", {}, deleting.delete)
    deleting.at_once(visit.table, visit.owner, given)
    return shown.go_to(visit, told(HOME, "delete"))


@router.post(f"{ITEM}/do/export")
def post_export(given: str) -> Response[str]:
    """A failed set is made whole; otherwise the set that was chosen, or the usual one, under a key of what it is."""
    visit = visit_of(router)
    formats, item = visit.sent.get("formats", []), item_id(given)
    failed = None if formats else _failed(visit, item)
    asked = judged(Export, {**({"formats": formats} if formats else {}), "options": _options(visit)})
    wish = ExportWish("", tuple(dict.fromkeys(asked.formats)), asked.options.theme, asked.options.layout)
    key = exports.usual_key(visit.table, visit.owner, item, wish)
    exports.ask(visit.table, visit.owner, item, failed or wish.under(key), clock.now())
    return shown.go_to(visit, told(visit.way_back(f"{HOME}/items/{item}"), "export", item))


@router.post(f"{ITEM}/do/<name>")
def post_do(given: str, name: str) -> Response[str]:
    visit = visit_of(router)
    if name not in BUILDS:
        raise not_found("button")
    carry_out(visit, given, name, {}, BUILDS[name])
    return shown.go_to(visit, told(visit.way_back(f"{HOME}/items/{given}"), name, given))


def _failed(visit: Visit, item: str) -> ExportWish | None:
    rows = [row for row in exports_of(visit.table, visit.owner, item) if row["status"] == FAILED]
    return ExportWish.of(rows[-1]) if rows else None


def _options(visit: Visit) -> dict[str, Any]:
    return {name: visit.form[name] for name in ("theme", "layout") if visit.form.get(name)}


def carry_out(visit: Visit, given: str, name: str, request: Mapping[str, Any], build: Build) -> dict[str, Any]:
    command = Command(visit.owner, item_id(given), name, "", request)
    return commands.carry_out(visit.table, command, build, clock.now())
