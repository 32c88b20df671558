"""Invoke the function that sends a delivery."""

from collections.abc import Mapping
from typing import Any

from readdo.invocations import invoke_function


def send(delivery: Mapping[str, Any]) -> None:
    payload = {"owner": delivery["owner"], "webhook": delivery["webhook"], "delivery": delivery["id"]}
    invoke_function("DELIVER_ARN", {**payload, "epoch": delivery["epoch"]})
