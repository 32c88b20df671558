"""The environment of a Lambda function: settings, AWS clients and the logger."""

import os
import threading
from functools import cache
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from botocore.config import Config
from botocore.httpsession import get_cert_path

logger = Logger()  # POWERTOOLS_SERVICE_NAME is the stack's name
# The id that all log entries of one API request, of one run of an item or of one job have in common.
_CORRELATION_ID = "requestContext.requestId || run || export || backup || restore || import || delivery || id"
# Decorator of a handler: its log entries have the correlation id, and no keys of an earlier invocation.
log_context = logger.inject_lambda_context(correlation_id_path=_CORRELATION_ID, clear_state=True)

# botocore waits 60 s by default, longer than most functions may run. Its retries multiply with those of Lambda and
# of the workflow.
_CONFIG = Config(
    connect_timeout=2,
    read_timeout=5,
    retries={"mode": "standard", "total_max_attempts": 3},
    # The local stack serves every service at one address, where a host prefix would not resolve.
    inject_host_prefix=False,
    user_agent="readdo",  # botocore would build its own anew for each call, which takes 4 % of the time of a call
    signature_version="v4",
    # Use the bucket's regional host. The global host redirects links of a new bucket to another host, where their
    # signature is not valid. A configured endpoint (the local stack) has one host for all buckets.
    s3={"addressing_style": "auto" if os.environ.get("AWS_ENDPOINT_URL") else "virtual"},
)


_client_lock = threading.Lock()  # boto3 cannot create clients in parallel threads; threads may share a client


@cache
def client(service: str) -> Any:
    with _client_lock:
        return boto3.client(service, config=_CONFIG)


def ca_bundle() -> str:
    """The certificates that the AWS clients trust. A function may not have those of the system."""
    return str(get_cert_path(True))


def setting(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if value is None:
        raise RuntimeError(f"the setting {name} is missing from the function's environment: see template.yaml")
    return value


def seconds(name: str, default: int) -> int:
    return int(setting(name, str(default)))
