"""Backup function: write all data of an owner into one zip, slice by slice."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo import store
from readdo.runtime import logger, redact_errors
from readdo.transfer.backup import backup_run

# The function's timeout is 300 s. After 240 s it starts no new piece, so that the current one can finish.
RESERVED_MILLISECONDS = 60_000


@redact_errors
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    def time_left() -> bool:
        return context.get_remaining_time_in_millis() >= RESERVED_MILLISECONDS

    part = backup_run.of(event)
    logger.append_keys(backup=part.id, epoch=part.epoch)
    backup_run.carry_on(store.open_table(), part, time_left)
    return event
