"""Clients, and whose account they ask."""

import os
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config

from cloud.stack_location import Place

# The defaults wait a minute for a host that does not answer; a person is waiting here.
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
        """What one must have seen before something is done there."""
        elsewhere = os.environ.get("AWS_ENDPOINT_URL", "")
        return f"AWS {self.short}, as {self.who}" + (f", at {elsewhere}" if elsewhere else "") + "."


def account(place: Place) -> Account:
    found = client("sts").get_caller_identity()
    return Account(found["Account"], place.region, found["Arn"].split(":", 5)[-1])
