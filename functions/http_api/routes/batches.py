"""The same action for many items, each with its own answer."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

import error_responses
from readdo import clock
from readdo.ids import digest
from readdo.read import batch, exports, item_commands, item_deletion, views
from readdo.read.item_transactions import Build
from readdo.store import idempotency
from readdo.web.path_params import item_id
from readdo.web.requests import Batch
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
    asked = RequestContext(router)
    body = asked.body(Batch)
    key = asked.key()
    batch.promised(asked.table, asked.owner, key, idempotency.fingerprint(body.model_dump()), clock.now())

    def one(given: str, key_of_one: str) -> dict[str, Any]:
        try:
            return {"ok": True, **(_export if body.action == "export" else _do)(asked, body.action, given, key_of_one)}
        except Exception as error:  # ours too: what was done to the others must be told all the same
            return {"ok": False, **error_responses.error_response(error, router.lambda_context).body}

    return reply(200, {"results": batch.in_turn(body.ids, key, one)})


def _do(asked: RequestContext, action: str, given: str, key: str) -> dict[str, Any]:
    done = carry_out(asked, given, action, {}, BUILDS[action], key=key)
    if action != "delete":
        return {"item": done["item"]}
    item_deletion.at_once(asked.table, asked.owner, given)
    return {}


def _export(asked: RequestContext, _action: str, given: str, key: str) -> dict[str, Any]:
    """Without a key of the caller's: one of what is exported, so that the same card is exported once."""
    usual = exports.usual_key(asked.table, asked.owner, item_id(given))
    wish = exports.ExportRequest(digest(key) if key else usual, exports.USUAL_FORMATS)
    return {"export": views.export(exports.request_export(asked.table, asked.owner, given, wish, clock.now()))}
