"""Secret words that must not appear in logs, and every encoding in which they could."""

import base64
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, quote_plus

import boto3

from readdo.runtime import logger
from support.world import World

KEY = "sk-canary-7Qm2Xv9LpR4t"
WORD, HAN = "zebrafinch-hush", "斑胸草雀的密语"
IN_LINK = "pw-Hunter2Canary"
LINK = f"https://diary.example/private/{quote(HAN)}?password={IN_LINK}&q={WORD}"
TEXTS = (WORD, HAN, IN_LINK)
MARKED = (
    f"Leases keep two workers from doing the same job, says the {WORD}. {HAN}说：每一次写入都必须带上租约的编号。"
    "We compared three designs over 10,000 histories; checking the epoch let no stale write through. "
) * 4
INTENT = f"make our {WORD} queue safe, {HAN}"


def encodings_of(secret: str) -> set[str]:
    raw = secret.encode()
    encodings = {
        secret,
        secret.lower(),
        secret.upper(),
        secret[::-1],
        raw.hex(),
        quote(secret, safe=""),
        quote_plus(secret),
    }
    encodings |= {json.dumps(secret)[1:-1], repr(raw)[2:-1], ascii(secret)[1:-1], raw.decode("latin-1")}
    encodings |= {
        secret.encode(charset).hex() for charset in ("utf-16-le", "utf-16-be", "gb18030") if not secret.isascii()
    }
    for offset in range(3):  # any offset in base64; neighbouring bytes change its first and last letters
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            encodings.add(encode(b"x" * offset + raw).decode().rstrip("=")[4:-4])
    return encodings


def find_leaks(text: str, *secrets: str) -> set[str]:
    return {form for secret in secrets for form in encodings_of(secret) if form in text}


class _LogCollector(logging.Handler):
    def __init__(self, *, ours: bool) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(logger.registered_formatter if ours else logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def collect_logs(level: str) -> Iterator[list[str]]:
    """The lines of our logger at this level, and of all other loggers as Lambda's root handler gets them."""
    ours, others = _LogCollector(ours=True), _LogCollector(ours=False)
    others.lines = ours.lines
    inner, root = logger._logger, logging.getLogger()
    before = inner.level
    inner.addHandler(ours)
    root.addHandler(others)
    inner.setLevel(level)
    try:
        yield ours.lines
    finally:
        inner.setLevel(before)
        inner.removeHandler(ours)
        root.removeHandler(others)


def workflow_data(world: World) -> str:
    """The state that the workflows pass between steps, and the inputs of their executions."""
    stepfunctions = boto3.client("stepfunctions")
    other_runs = (run for o in ("Export", "Backup", "Import") for run in world.executions(f"{o}MachineArn"))
    runs = [*world.executions(), *other_runs]
    executions = [stepfunctions.describe_execution(executionArn=run["executionArn"]) for run in runs]
    events = [event for function, event in world.invoked if function != "http_api"]
    return json.dumps([executions, events], default=str, ensure_ascii=False)


def stored_data(world: World) -> str:
    """Everything in the table and the bucket."""
    rows: Any = boto3.client("dynamodb").scan(TableName=world.outputs["TableName"])["Items"]
    s3, bucket = boto3.client("s3"), world.outputs["BucketName"]
    keys = [entry["Key"] for entry in s3.list_objects_v2(Bucket=bucket).get("Contents", [])]
    bodies = [s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode("utf-8", "replace") for key in keys]
    return json.dumps([rows, keys, bodies], default=str, ensure_ascii=False)
