"""Route that runs one action on many items, with a result for each."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

import error_responses
from readdo import clock
from readdo.clock import digest
from readdo.read import exports, item_commands, item_deletion, views
from readdo.read.item_transactions import Build
from readdo.read.requests import Batch
from readdo.store import idempotency
from readdo.web.path_params import item_id
from routes.item_actions import carry_out
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()
BUILDS: dict[str, Build] = {
    "archive": item_commands.archive(None),
    "unarchive": item_commands.unarchive,
    "process": item_commands.requeue("process"),
    "delete": item_deletion.delete,
}


@router.post("/items/batch")
def post_batch() -> Response[str]:
    context = RequestContext(router)
    body = context.body(Batch)
    key = context.key()
    item_commands.bind_key(context.table, context.owner, key, idempotency.fingerprint(body.model_dump()), clock.now())

    def run_one(raw_id: str, item_key: str) -> dict[str, Any]:
        try:
            return {"ok": True, **(_export if body.action == "export" else _do)(context, body.action, raw_id, item_key)}
        except Exception as error:  # also unexpected errors: the results of the other items must still be returned
            return {"ok": False, **error_responses.error_response(error, router.lambda_context).body}

    return reply(200, {"results": item_commands.run_batch(body.ids, key, run_one)})


def _do(context: RequestContext, action: str, raw_id: str, key: str) -> dict[str, Any]:
    result = carry_out(context, raw_id, action, {}, BUILDS[action], key=key)
    if action != "delete":
        return {"item": result["item"]}
    item_deletion.at_once(context.table, context.owner, raw_id)
    return {}


def _export(context: RequestContext, _action: str, raw_id: str, key: str) -> dict[str, Any]:
    """Without the caller's key, a key made from the content exports the same card only once."""
    default_key = exports.default_key(context.table, context.owner, item_id(raw_id))
    export_request = exports.ExportRequest(digest(key) if key else default_key, exports.USUAL_FORMATS)
    return {
        "export": views.export(
            exports.request_export(context.table, context.owner, raw_id, export_request, clock.now())
        )
    }
