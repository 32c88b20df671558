"""Heartbeat function: start due work, every minute."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo import store
from readdo.heartbeat.sweep import sweep
from readdo.runtime import logger, redact_errors

# The function's timeout is 60 s. After 45 s it starts no new work, so that the current work can finish.
RESERVED_MILLISECONDS = 15_000


@redact_errors
def handler(_event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    def time_left() -> bool:
        return context.get_remaining_time_in_millis() > RESERVED_MILLISECONDS

    done = sweep(store.open_table(), time_left)
    if done:
        logger.info("swept", extra={"done": done})
    return done
