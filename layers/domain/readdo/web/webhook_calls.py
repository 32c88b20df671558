"""The calls about webhooks."""

from readdo.web.call import CONFLICT, FOUND_AND_OPEN, INVALID, KEY, NOT_FOUND, REUSED, Call

_WEBHOOK = "/webhooks/{webhook_id}"

WEBHOOK_CALLS = (
    Call("GET", "/webhooks", "listWebhooks", "Your webhooks, without their secrets.", {200: "WebhooksAnswer"}),
    Call(
        "POST",
        "/webhooks",
        "addWebhook",
        "Have an address told of items' moves. Its secret is shown this once.",
        {201: "WebhookAnswer", 200: "WebhookAnswer"},
        "NewWebhook",
        "Each delivery is signed with the secret, and tried 7 times within 32 hours until the receiver answers 2xx. "
        "Repeated under its key: the same webhook, without the secret.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        _WEBHOOK,
        "getWebhook",
        "One webhook, and how it stands.",
        {200: "WebhookAnswer"},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "PATCH",
        _WEBHOOK,
        "patchWebhook",
        "Change the address or the events, pause it, or resume it.",
        {200: "WebhookAnswer"},
        "WebhookPatch",
        "What happens while it is paused or disabled is not told later.",
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
    Call(
        "DELETE",
        _WEBHOOK,
        "removeWebhook",
        "Remove it with its deliveries. What is on its way may still arrive.",
        {204: ""},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "POST",
        f"{_WEBHOOK}/test",
        "testWebhook",
        "Send it an event that says nothing, `webhook.test`, as all are sent.",
        {202: "DeliveryAnswer"},
        "Empty",
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
    Call(
        "GET",
        f"{_WEBHOOK}/deliveries",
        "listDeliveries",
        "Its deliveries of the last 30 days, newest first.",
        {200: "DeliveriesAnswer"},
        query=("cursor",),
        refuses=(INVALID, NOT_FOUND),
    ),
    Call(
        "POST",
        f"{_WEBHOOK}/deliveries/{{delivery_id}}/redeliver",
        "redeliver",
        "Send it once more, at once and with all its tries, however it stands.",
        {202: "DeliveryAnswer"},
        "Empty",
        headers=(KEY,),
        refuses=(INVALID, *FOUND_AND_OPEN),
    ),
)
