"""The same action for many items, each with its own answer."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

import telling
from readdo import clock
from readdo.ids import digest
from readdo.read import asking, batch, deleting, exports, views
from readdo.read.commands import Build
from readdo.store import idempotency
from readdo.web.given import item_id
from readdo.web.requests import Batch
from routes.asked import Asked, reply
from routes.moves import carry_out

router = APIGatewayHttpRouter()
BUILDS: dict[str, Build] = {
    "archive": asking.archive(None),
    "unarchive": asking.unarchive,
    "process": asking.requeue("process"),
    "delete": deleting.delete,
}


@router.post("/items/batch")
def post_batch() -> Response[str]:
    asked = Asked(router)
    body = asked.body(Batch)
    key = asked.key()
    batch.promised(asked.table, asked.owner, key, idempotency.fingerprint(body.model_dump()), clock.now())

    def one(given: str, key_of_one: str) -> dict[str, Any]:
        try:
            return {"ok": True, **(_export if body.action == "export" else _do)(asked, body.action, given, key_of_one)}
        except Exception as error:  # ours too: what was done to the others must be told all the same
            return {"ok": False, **telling.of(error, router.lambda_context).body}

    return reply(200, {"results": batch.in_turn(body.ids, key, one)})


def _do(asked: Asked, action: str, given: str, key: str) -> dict[str, Any]:
    done = carry_out(asked, given, action, {}, BUILDS[action], key=key)
    if action != "delete":
        return {"item": done["item"]}
    deleting.at_once(asked.table, asked.owner, given)
    return {}


def _export(asked: Asked, _action: str, given: str, key: str) -> dict[str, Any]:
    """Without a key of the caller's: one of what is exported, so that the same card is exported once."""
    usual = exports.usual_key(asked.table, asked.owner, item_id(given))
    wish = exports.ExportWish(digest(key) if key else usual, exports.USUAL_FORMATS)
    return {"export": views.export(exports.ask(asked.table, asked.owner, given, wish, clock.now()))}
