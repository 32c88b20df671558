"""The sender is a room of its own."""

from collections.abc import Mapping
from typing import Any

from readdo.lambda_invocation import call


def send(delivery: Mapping[str, Any]) -> None:
    given = {"owner": delivery["owner"], "webhook": delivery["webhook"], "delivery": delivery["id"]}
    call("DELIVER_ARN", {**given, "epoch": delivery["epoch"]})
