"""mirror: one turn of showing tasks, runs and health in Notion. How it went is written beside the tasks."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo import store
from readdo.error_redaction import quietly
from readdo.errors import LeaseLost
from readdo.mirror import settings
from readdo.mirror.notion import EACH_SECOND, Notion
from readdo.mirror.rate_limit import RateLimit
from readdo.mirror.sync import Sync
from readdo.mirror.sync_lease import SyncLease
from readdo.runtime import logger, setting

# Past this it begins no page: one takes a few questions of some seconds each.
RESERVED_MILLISECONDS = 45_000


@quietly
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    turn = SyncLease(event["owner"], event["epoch"])
    logger.append_keys(epoch=turn.epoch)
    to = settings.read()

    def connect() -> Notion:
        return Notion(setting("NOTION_URL"), settings.token(to), RateLimit(EACH_SECOND))

    def time_left() -> bool:
        return context.get_remaining_time_in_millis() > RESERVED_MILLISECONDS

    sync = Sync(store.open_table(), turn, time_left)
    try:
        ended = sync.run(connect, to.database)
    except LeaseLost:
        return {"ended": "lost"}  # another turn has it: nobody calls again
    logger.info("mirrored", extra={"ended": ended, "pages": sync.shown})
    return {"ended": ended, "pages": sync.shown}
