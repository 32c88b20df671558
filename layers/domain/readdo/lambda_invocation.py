"""Invoke another Lambda function asynchronously. If a call is lost, the heartbeat finds its due work."""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from readdo.runtime import client, logger, setting


def call(room: str, event: Mapping[str, Any]) -> None:
    """`room` is the setting with the function's name. `event` has ids and an epoch."""
    payload = json.dumps(event).encode()
    try:
        client("lambda").invoke(FunctionName=setting(room), InvocationType="Event", Payload=payload)
    except (BotoCoreError, ClientError) as error:
        logger.warning("room not called; the heartbeat will", extra={**event, "reason": type(error).__name__})
