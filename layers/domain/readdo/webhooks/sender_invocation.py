"""Invoke the function that sends a delivery."""

from collections.abc import Mapping
from typing import Any

from readdo.lambda_invocation import call


def send(delivery: Mapping[str, Any]) -> None:
    payload = {"owner": delivery["owner"], "webhook": delivery["webhook"], "delivery": delivery["id"]}
    call("DELIVER_ARN", {**payload, "epoch": delivery["epoch"]})
