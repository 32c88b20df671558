"""Start executions, and invoke functions.

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


def call_function(function: str, event: Mapping[str, Any]) -> dict[str, Any] | None:
    """Wait for the answer of a function. None if it failed."""
    try:
        answer = client("lambda").invoke(FunctionName=setting(function), Payload=json.dumps(event).encode())
        value = json.loads(answer["Payload"].read())
    except (BotoCoreError, ClientError, ValueError) as error:
        logger.error("function not called", extra={"function": function, "reason": type(error).__name__})
        return None
    return value if "FunctionError" not in answer and isinstance(value, dict) else None


def invoke_function(function: str, event: Mapping[str, Any]) -> None:
    """`function` is the setting with the function's name. `event` has ids and an epoch."""
    payload = json.dumps(event).encode()
    try:
        client("lambda").invoke(FunctionName=setting(function), InvocationType="Event", Payload=payload)
    except (BotoCoreError, ClientError) as error:
        logger.warning("function not invoked; the heartbeat will", extra={**event, "reason": type(error).__name__})
