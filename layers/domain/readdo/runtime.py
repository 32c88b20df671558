"""What every room needs from its surroundings: settings from the environment, clients, a logger."""

import os
import threading
from functools import cache
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from botocore.config import Config

logger = Logger()  # named after the stack: POWERTOOLS_SERVICE_NAME

# botocore waits 60 s by default, longer than most rooms live. Its retries multiply with Lambda's and the workflow's.
_CONFIG = Config(
    connect_timeout=2,
    read_timeout=5,
    retries={"mode": "standard", "total_max_attempts": 3},
    # The local stack serves every service on one address; a service's prefix in front of it would not resolve.
    inject_host_prefix=False,
    signature_version="v4",
    # The bucket's own host in its own region: the global one sends a new bucket's links on to another, where their
    # signature is not right. An endpoint that is given (the local stack) has one host for all buckets.
    s3={"addressing_style": "auto" if os.environ.get("AWS_ENDPOINT_URL") else "virtual"},
)


_making = threading.Lock()  # boto3 does not make clients in threads at once; those that it made, threads may share


@cache
def client(service: str) -> Any:
    with _making:
        return boto3.client(service, config=_CONFIG)


def setting(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if value is None:
        raise RuntimeError(f"the setting {name} is missing from the function's environment: see template.yaml")
    return value


def seconds(name: str, default: int) -> int:
    return int(setting(name, str(default)))
