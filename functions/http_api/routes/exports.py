"""Routes to request exports, read them, and download their files."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.lifecycle.export import RUNNING
from readdo.read import exports, item_keys, views
from readdo.read.requests import Export
from readdo.read.rows import ExportRow
from readdo.web.errors import invalid, not_found
from readdo.web.path_params import export_key, item_id
from routes.request_context import RequestContext, living_item, reply

router = APIGatewayHttpRouter()
_KEY_NEEDED = (
    "An export needs a key, so that asking twice makes one set of files: give `export_key` or Idempotency-Key."
)


@router.post("/items/<raw_id>/export")
def post_export(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    body = context.body(Export)
    key = context.key(body.export_key, "export_key")
    if not key:
        raise invalid(_KEY_NEEDED, {"export_key": "is required"})
    export_request = exports.ExportRequest(
        key, tuple(dict.fromkeys(body.formats)), body.options.theme, body.options.layout, body.card_version
    )
    row = exports.request_export(context.table, context.owner, item_id(raw_id), export_request, clock.now())
    return _reply(context, row)


@router.get("/items/<raw_id>/exports/<key>")
def get_export(raw_id: str, key: str) -> Response[str]:
    context = RequestContext(router)
    return _reply(context, _find(context, raw_id, key))


@router.get("/exports/<raw_id>/<key>/<name>")
def get_file(raw_id: str, key: str, name: str) -> Response[str]:
    context = RequestContext(router)
    row = _find(context, raw_id, key)
    object_key = next((file["at"] for file in row["files"].values() if file["name"] == name), None)
    if object_key is None:
        raise not_found("file")
    return reply(302, {}, Location=files.presign_download(object_key))


def _find(context: RequestContext, raw_id: str, key: str) -> ExportRow:
    living_item(context.table, item_keys.item(context.owner, item_id(raw_id)))
    row = exports.find(context.table, context.owner, item_id(raw_id), export_key(key))
    if row is None:
        raise not_found("export")
    return row


def _reply(context: RequestContext, row: ExportRow) -> Response[str]:
    item = living_item(context.table, item_keys.item(context.owner, row["item"]))
    body = {"item": views.item(item), "export": views.export(row)}
    if row["status"] == RUNNING:
        return reply(202, body, Location=views.export_path(row["item"], row["export_key"]))
    return reply(200, body)
