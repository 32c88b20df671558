"""heartbeat: the product's only clock. Every minute it attends to what is due."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from readdo import store
from readdo.error_redaction import quietly
from readdo.read.sweep import sweep
from readdo.runtime import logger

# The room lives 60 s: past 45 it takes no new work, so that what it began can end.
RESERVED_MILLISECONDS = 15_000


@quietly
def handler(_event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    def time_left() -> bool:
        return context.get_remaining_time_in_millis() > RESERVED_MILLISECONDS

    done = sweep(store.open_table(), time_left)
    if done:
        logger.info("swept", extra={"done": done})
    return done
