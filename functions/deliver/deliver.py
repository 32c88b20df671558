"""Deliver function: send one event to one webhook and store the result. The response is not logged."""

from typing import Any

from readdo import store
from readdo.errors import LeaseLost
from readdo.integrations.webhooks.delivery_attempt import DeliveryAttempt, deliver
from readdo.net.http_post import post
from readdo.runtime import logger, redact_errors


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    attempt = DeliveryAttempt(event["owner"], event["webhook"], event["delivery"], event["epoch"])
    logger.append_keys(webhook=attempt.webhook, delivery=attempt.delivery, epoch=attempt.epoch)
    try:
        status = deliver(store.open_table(), attempt, post)
    except LeaseLost:  # another attempt has the delivery, or it has ended: no retry
        return {"delivery": attempt.delivery, "status": "LOST"}
    return {"delivery": attempt.delivery, "status": status}
