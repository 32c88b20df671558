"""Exports: asked for, looked at, and their files fetched."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.lifecycle.export import RUNNING
from readdo.read import exports, views
from readdo.store import keys
from readdo.web.errors import invalid, not_found
from readdo.web.path_params import export_key, item_id
from readdo.web.requests import Export
from routes.request_context import RequestContext, living_item, reply

router = APIGatewayHttpRouter()
_KEY_NEEDED = (
    "An export needs a key, so that asking twice makes one set of files: give `export_key` or Idempotency-Key."
)


@router.post("/items/<given>/export")
def post_export(given: str) -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(Export)
    key = asked.key(body.export_key, "export_key")
    if not key:
        raise invalid(_KEY_NEEDED, {"export_key": "is required"})
    wish = exports.ExportRequest(
        key, tuple(dict.fromkeys(body.formats)), body.options.theme, body.options.layout, body.card_version
    )
    row = exports.request_export(asked.table, asked.owner, item_id(given), wish, clock.now())
    return _shown(asked, row)


@router.get("/items/<given>/exports/<key>")
def get_export(given: str, key: str) -> Response[str]:
    asked = RequestContext(router)
    return _shown(asked, _find(asked, given, key))


@router.get("/exports/<given>/<key>/<name>")
def get_file(given: str, key: str, name: str) -> Response[str]:
    asked = RequestContext(router)
    row = _find(asked, given, key)
    place = next((file["at"] for file in row["files"].values() if file["name"] == name), None)
    if place is None:
        raise not_found("file")
    return reply(302, {}, Location=files.link(place))


def _find(asked: RequestContext, given: str, key: str) -> dict[str, Any]:
    living_item(asked.table, keys.item(asked.owner, item_id(given)))
    row = exports.find(asked.table, asked.owner, item_id(given), export_key(key))
    if row is None:
        raise not_found("export")
    return row


def _shown(asked: RequestContext, row: dict[str, Any]) -> Response[str]:
    item = living_item(asked.table, keys.item(asked.owner, row["item"]))
    shown = {"item": views.item(item), "export": views.export(row)}
    if row["status"] == RUNNING:
        return reply(202, shown, Location=views.export_path(row["item"], row["export_key"]))
    return reply(200, shown)
