"""The sender is a room of its own: it is called and not waited for. A call that is lost is found by the due time."""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from readdo.runtime import client, logger, setting


def send(delivery: Mapping[str, Any]) -> None:
    given = {"owner": delivery["owner"], "webhook": delivery["webhook"], "delivery": delivery["id"]}
    given |= {"epoch": delivery["epoch"]}
    try:
        client("lambda").invoke(
            FunctionName=setting("DELIVER_ARN"), InvocationType="Event", Payload=json.dumps(given).encode()
        )
    except (BotoCoreError, ClientError) as error:
        extra = {"delivery": delivery["id"], "reason": type(error).__name__}
        logger.warning("sender not called; the heartbeat will", extra=extra)
