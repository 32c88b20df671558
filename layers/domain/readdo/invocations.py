"""Start executions and invoke functions asynchronously.

If a call is lost, the heartbeat finds its due work.
"""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from readdo.runtime import client, logger, setting


def start_execution(machine: str, name: str, payload: Mapping[str, Any]) -> None:
    """`machine` is the setting with the ARN. `name` and `payload` contain only ids and numbers."""
    try:
        client("stepfunctions").start_execution(stateMachineArn=setting(machine), name=name, input=json.dumps(payload))
    except (BotoCoreError, ClientError) as error:
        # Started before, or not started: in both cases the heartbeat checks the row when it is due.
        logger.warning("execution not started", extra={"execution": name, "reason": str(error)[:200]})


def invoke_function(function: str, event: Mapping[str, Any]) -> None:
    """`function` is the setting with the function's name. `event` has ids and an epoch."""
    payload = json.dumps(event).encode()
    try:
        client("lambda").invoke(FunctionName=setting(function), InvocationType="Event", Payload=payload)
    except (BotoCoreError, ClientError) as error:
        logger.warning("function not invoked; the heartbeat will", extra={**event, "reason": type(error).__name__})
