"""Mirror function: one sync of tasks, runs and health to Notion."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo import store
from readdo.errors import LeaseLost
from readdo.integrations.notion import settings
from readdo.integrations.notion.notion import EACH_SECOND, Notion, RateLimit
from readdo.integrations.notion.sync import Sync
from readdo.integrations.notion.sync_lease import SyncLease
from readdo.runtime import logger, redact_errors, setting

# With less time left it starts no page: a page needs several requests of some seconds each.
RESERVED_MILLISECONDS = 45_000


@redact_errors
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    lease = SyncLease(event["owner"], event["epoch"])
    logger.append_keys(epoch=lease.epoch)
    target = settings.read()

    def connect() -> Notion:
        return Notion(setting("NOTION_URL"), settings.token(target), RateLimit(EACH_SECOND))

    def time_left() -> bool:
        return context.get_remaining_time_in_millis() > RESERVED_MILLISECONDS

    sync = Sync(store.open_table(), lease, time_left)
    try:
        ended = sync.run(connect, target.database)
    except LeaseLost:
        return {"ended": "lost"}  # another sync has the lease: no retry
    logger.info("mirrored", extra={"ended": ended, "pages": sync.shown})
    return {"ended": ended, "pages": sync.shown}
