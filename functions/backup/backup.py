"""backup: all that is an owner's into one zip, slice by slice."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo import store
from readdo.error_redaction import quietly
from readdo.read import backup_run
from readdo.runtime import logger

# The room lives 300 s: past 240 it begins no new piece, so that the one it has can end.
RESERVED_MILLISECONDS = 60_000


@quietly
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    def time_left() -> bool:
        return context.get_remaining_time_in_millis() >= RESERVED_MILLISECONDS

    now = backup_run.of(event)
    logger.append_keys(backup=now.id, epoch=now.epoch)
    backup_run.carry_on(store.open_table(), now, time_left)
    return event
