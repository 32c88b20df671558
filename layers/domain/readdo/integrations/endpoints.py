"""API calls of webhooks."""

from readdo.web.call_spec import CONFLICT, FOUND_AND_OPEN, INVALID, KEY, NOT_FOUND, REUSED, Call

_WEBHOOK = "/webhooks/{webhook_id}"

CALLS = (
    Call("GET", "/webhooks", "listWebhooks", "List your webhooks, without their secrets.", {200: "WebhooksAnswer"}),
    Call(
        "POST",
        "/webhooks",
        "addWebhook",
        "Send a request to your URL when an item changes. The secret is returned only once.",
        {201: "WebhookAnswer", 200: "WebhookAnswer"},
        "NewWebhook",
        "Each delivery is signed with the secret and sent up to 7 times in 32 hours until the receiver returns 2xx. "
        "The same Idempotency-Key returns the same webhook without the secret.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        _WEBHOOK,
        "getWebhook",
        "Get a webhook and its status.",
        {200: "WebhookAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "PATCH",
        _WEBHOOK,
        "patchWebhook",
        "Change the URL or the events of a webhook, pause it or resume it.",
        {200: "WebhookAnswer"},
        "WebhookPatch",
        "Events during a pause are not sent later.",
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
    Call(
        "DELETE",
        _WEBHOOK,
        "removeWebhook",
        "Remove a webhook with its deliveries. A delivery in progress may still arrive.",
        {204: ""},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "POST",
        f"{_WEBHOOK}/test",
        "testWebhook",
        "Send a test event, `webhook.test`.",
        {202: "DeliveryAnswer"},
        "Empty",
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
    Call(
        "GET",
        f"{_WEBHOOK}/deliveries",
        "listDeliveries",
        "List the deliveries of the last 30 days, newest first.",
        {200: "DeliveriesAnswer"},
        query=("cursor",),
        refuses=(INVALID, NOT_FOUND),
    ),
    Call(
        "POST",
        f"{_WEBHOOK}/deliveries/{{delivery_id}}/redeliver",
        "redeliver",
        "Send a delivery again, with all its retries.",
        {202: "DeliveryAnswer"},
        "Empty",
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
)
