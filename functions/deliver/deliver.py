"""deliver: one event to one webhook, once. How it went is written, and nothing of what was answered is logged."""

from typing import Any

from readdo import store
from readdo.error_redaction import quietly
from readdo.errors import LeaseLost
from readdo.net.http_post import post
from readdo.runtime import logger
from readdo.webhooks.delivery_attempt import DeliveryAttempt, deliver


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    given = DeliveryAttempt(event["owner"], event["webhook"], event["delivery"], event["epoch"])
    logger.append_keys(webhook=given.webhook, delivery=given.delivery, epoch=given.epoch)
    try:
        status = deliver(store.open_table(), given, post)
    except LeaseLost:
        return {"delivery": given.delivery, "status": "LOST"}  # another try has it, or it has ended: nobody calls again
    return {"delivery": given.delivery, "status": status}
