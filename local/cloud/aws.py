"""AWS clients, and the account that they use."""

import os
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config

from cloud.stack_location import Place

# boto3 waits a minute by default for a host that does not respond; here a user is waiting.
_CONFIG = Config(connect_timeout=5, read_timeout=30, retries={"mode": "standard", "total_max_attempts": 3})


def client(service: str) -> Any:
    return boto3.client(service, config=_CONFIG)


@dataclass(frozen=True)
class Account:
    number: str
    region: str
    who: str

    @property
    def short(self) -> str:
        return f"account {self.number}, region {self.region}"

    @property
    def line(self) -> str:
        """Describe the account, which the user sees before anything is changed there."""
        elsewhere = os.environ.get("AWS_ENDPOINT_URL", "")
        return f"AWS {self.short}, as {self.who}" + (f", at {elsewhere}" if elsewhere else "") + "."


def account(place: Place) -> Account:
    identity = client("sts").get_caller_identity()
    return Account(identity["Account"], place.region, identity["Arn"].split(":", 5)[-1])
