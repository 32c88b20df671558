"""Webhooks: who is told of items' moves, and how each delivery stands."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.store import idempotency
from readdo.web.path_params import delivery_id, is_item_id, webhook_id
from readdo.web.requests import Body, Empty, NewWebhook, WebhookPatch
from readdo.webhooks import deliveries, subscriptions, views
from routes.request_context import RequestContext, empty, reply

router = APIGatewayHttpRouter()


@router.get("/webhooks")
def get_webhooks() -> Response[str]:
    asked = RequestContext(router)
    return reply(
        200, {"webhooks": [views.webhook(row) for row in subscriptions.list_webhooks(asked.table, asked.owner)]}
    )


@router.post("/webhooks")
def post_webhook() -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(NewWebhook)
    shown, secret = subscriptions.add(asked.table, _keyed(asked, "add", body), body.url, body.events, clock.now())
    return reply(201, {"webhook": {**shown, "secret": secret}}) if secret else reply(200, {"webhook": shown})


@router.get("/webhooks/<given>")
def get_webhook(given: str) -> Response[str]:
    asked = RequestContext(router)
    return reply(
        200, {"webhook": views.webhook(subscriptions.find_webhook(asked.table, asked.owner, webhook_id(given)))}
    )


@router.patch("/webhooks/<given>")
def patch_webhook(given: str) -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(WebhookPatch)
    keyed = _keyed(asked, f"patch {webhook_id(given)}", body)
    wish = body.model_dump(exclude_unset=True)
    return reply(200, {"webhook": subscriptions.change(asked.table, keyed, given, wish, clock.now())})


@router.delete("/webhooks/<given>")
def delete_webhook(given: str) -> Response[str]:
    asked = RequestContext(router)
    subscriptions.remove(asked.table, asked.owner, webhook_id(given), clock.now())
    return empty()


@router.post("/webhooks/<given>/test")
def post_test(given: str) -> Response[str]:
    asked = RequestContext(router)
    keyed = _keyed(asked, f"test {webhook_id(given)}", asked.body(Empty))
    return reply(202, {"delivery": deliveries.test(asked.table, keyed, given, clock.now())})


@router.get("/webhooks/<given>/deliveries")
def get_deliveries(given: str) -> Response[str]:
    asked = RequestContext(router)
    asked.refuse_unknown_queries()
    subscriptions.find_webhook(asked.table, asked.owner, webhook_id(given))
    text = asked.query("cursor") or ""
    cursor = deliveries.cursor_of(text, is_item_id(text))
    rows, onward = deliveries.list_deliveries(asked.table, asked.owner, given, cursor, clock.now())
    return reply(200, {"deliveries": [views.delivery(row) for row in rows], "next_cursor": onward or None})


@router.post("/webhooks/<given>/deliveries/<which>/redeliver")
def post_redeliver(given: str, which: str) -> Response[str]:
    asked = RequestContext(router)
    keyed = _keyed(asked, f"redeliver {webhook_id(given)} {delivery_id(which)}", asked.body(Empty))
    return reply(202, {"delivery": deliveries.again(asked.table, keyed, given, which, clock.now())})


def _keyed(asked: RequestContext, name: str, body: Body) -> subscriptions.IdempotentRequest:
    request: dict[str, Any] = {"name": name, **body.model_dump(mode="json", exclude_unset=name.startswith("patch"))}
    return subscriptions.IdempotentRequest(asked.owner, asked.key(), idempotency.fingerprint(request))
