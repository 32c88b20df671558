"""Another room is called and not waited for. A call that is lost is found by the due time of what it was to do."""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from readdo.runtime import client, logger, setting


def call(room: str, given: Mapping[str, Any]) -> None:
    """`room`: the setting that names it. `given`: ids and an epoch."""
    payload = json.dumps(given).encode()
    try:
        client("lambda").invoke(FunctionName=setting(room), InvocationType="Event", Payload=payload)
    except (BotoCoreError, ClientError) as error:
        logger.warning("room not called; the heartbeat will", extra={**given, "reason": type(error).__name__})
