"""Routes for webhooks and their deliveries."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.integrations.requests import NewWebhook, WebhookPatch
from readdo.integrations.webhooks import deliveries, subscriptions, views
from readdo.store import idempotency
from readdo.web.path_params import delivery_id, is_item_id, webhook_id
from readdo.web.request_body import Body, Empty
from routes.request_context import RequestContext, empty, reply

router = APIGatewayHttpRouter()


@router.get("/webhooks")
def get_webhooks() -> Response[str]:
    context = RequestContext(router)
    return reply(
        200, {"webhooks": [views.webhook(row) for row in subscriptions.list_webhooks(context.table, context.owner)]}
    )


@router.post("/webhooks")
def post_webhook() -> Response[str]:
    context = RequestContext(router)
    body = context.body(NewWebhook)
    webhook, secret = subscriptions.add(
        context.table, _idempotent_request(context, "add", body), body.url, body.events, clock.now()
    )
    return reply(201, {"webhook": {**webhook, "secret": secret}}) if secret else reply(200, {"webhook": webhook})


@router.get("/webhooks/<raw_id>")
def get_webhook(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    return reply(
        200, {"webhook": views.webhook(subscriptions.find_webhook(context.table, context.owner, webhook_id(raw_id)))}
    )


@router.patch("/webhooks/<raw_id>")
def patch_webhook(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    body = context.body(WebhookPatch)
    request = _idempotent_request(context, f"patch {webhook_id(raw_id)}", body)
    changes = body.model_dump(exclude_unset=True)
    return reply(200, {"webhook": subscriptions.change(context.table, request, raw_id, changes, clock.now())})


@router.delete("/webhooks/<raw_id>")
def delete_webhook(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    subscriptions.remove(context.table, context.owner, webhook_id(raw_id), clock.now())
    return empty()


@router.post("/webhooks/<raw_id>/test")
def post_test(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    request = _idempotent_request(context, f"test {webhook_id(raw_id)}", context.body(Empty))
    return reply(202, {"delivery": deliveries.test(context.table, request, raw_id, clock.now())})


@router.get("/webhooks/<raw_id>/deliveries")
def get_deliveries(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    subscriptions.find_webhook(context.table, context.owner, webhook_id(raw_id))
    text = context.query("cursor") or ""
    cursor = deliveries.cursor_of(text, is_item_id(text))
    rows, next_cursor = deliveries.list_deliveries(context.table, context.owner, raw_id, cursor, clock.now())
    return reply(200, {"deliveries": [views.delivery(row) for row in rows], "next_cursor": next_cursor or None})


@router.post("/webhooks/<raw_id>/deliveries/<raw_delivery_id>/redeliver")
def post_redeliver(raw_id: str, raw_delivery_id: str) -> Response[str]:
    context = RequestContext(router)
    request = _idempotent_request(
        context, f"redeliver {webhook_id(raw_id)} {delivery_id(raw_delivery_id)}", context.body(Empty)
    )
    return reply(202, {"delivery": deliveries.redeliver(context.table, request, raw_id, raw_delivery_id, clock.now())})


def _idempotent_request(context: RequestContext, name: str, body: Body) -> subscriptions.IdempotentRequest:
    fields: dict[str, Any] = {"name": name, **body.model_dump(mode="json", exclude_unset=name.startswith("patch"))}
    return subscriptions.IdempotentRequest(context.owner, context.key(), idempotency.fingerprint(fields))
