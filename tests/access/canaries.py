"""Words that must not be heard where logs are read, and every form in which they might be."""

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


def forms(secret: str) -> set[str]:
    raw = secret.encode()
    found = {
        secret,
        secret.lower(),
        secret.upper(),
        secret[::-1],
        raw.hex(),
        quote(secret, safe=""),
        quote_plus(secret),
    }
    found |= {json.dumps(secret)[1:-1], repr(raw)[2:-1], ascii(secret)[1:-1], raw.decode("latin-1")}
    found |= {secret.encode(wide).hex() for wide in ("utf-16-le", "utf-16-be", "gb18030") if not secret.isascii()}
    for before in range(3):  # wherever it begins within what was encoded; its first and last letters are mixed
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            found.add(encode(b"x" * before + raw).decode().rstrip("=")[4:-4])
    return found


def heard(text: str, *secrets: str) -> set[str]:
    return {form for secret in secrets for form in forms(secret) if form in text}


class _Ear(logging.Handler):
    def __init__(self, *, ours: bool) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(logger.registered_formatter if ours else logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def listening(level: str) -> Iterator[list[str]]:
    """Our own logger at this level, and what Lambda's handler at the root hears of everybody else."""
    ours, others = _Ear(ours=True), _Ear(ours=False)
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


def carried(made: World) -> str:
    """What the workflows carry from step to step, and their executions' own inputs, which have other readers."""
    stepfunctions = boto3.client("stepfunctions")
    others = (run for o in ("Export", "Backup", "Import") for run in made.executions(f"{o}MachineArn"))
    runs = [*made.executions(), *others]
    told = [stepfunctions.describe_execution(executionArn=run["executionArn"]) for run in runs]
    events = [event for room, event in made.invoked if room != "http_api"]
    return json.dumps([told, events], default=str, ensure_ascii=False)


def kept(made: World) -> str:
    """All that lies in the table and the bucket."""
    rows: Any = boto3.client("dynamodb").scan(TableName=made.outputs["TableName"])["Items"]
    s3, bucket = boto3.client("s3"), made.outputs["BucketName"]
    keys = [found["Key"] for found in s3.list_objects_v2(Bucket=bucket).get("Contents", [])]
    bodies = [s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode("utf-8", "replace") for key in keys]
    return json.dumps([rows, keys, bodies], default=str, ensure_ascii=False)
