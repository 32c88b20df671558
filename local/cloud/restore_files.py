"""Restore deleted files of existing items by removing their delete markers in the bucket."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import Any

from cloud.aws import client
from cloud.progress import ProgressLine
from cloud.restore_rows import Live
from readdo.read import item_keys
from terminal.failures import CommandFailure
from terminal.session import Session

FOLDERS = ("content", "artifacts", "exports")
_TOGETHER = 1000  # the limit of one DeleteObjects call
Entry = dict[str, Any]


@dataclass
class RestoredFiles:
    back: int = 0
    expired: int = 0  # files of existing items whose old versions have expired in the bucket


def put_back(session: Session, bucket: str, number: str, live: Live, since: datetime) -> RestoredFiles:
    progress, restored, waiting = ProgressLine(session), RestoredFiles(), list[Entry]()
    bucket_arguments = {"Bucket": bucket, "ExpectedBucketOwner": number}
    lives = lru_cache(maxsize=16)(live.lives)  # the files of an item are adjacent
    try:
        for key, entries in groupby(_entries(bucket_arguments), key=lambda entry: str(entry["Key"])):
            versions = list(entries)
            markers = [v for v in versions if v["marker"] and v["LastModified"] >= since]
            _, owner, item, *rest = [*key.split("/"), "", ""]
            if not any(marker["IsLatest"] for marker in markers) or not any(rest):
                continue
            if not lives(item_keys.item(owner, item)):
                continue
            if all(version["marker"] for version in versions):
                restored.expired += 1
                continue
            restored.back += 1
            waiting += [{"Key": key, "VersionId": marker["VersionId"]} for marker in markers]
            if len(waiting) >= _TOGETHER:
                waiting = _remove(bucket_arguments, waiting)
                progress.show(f"Files: {restored.back:,} restored")
        while waiting:
            waiting = _remove(bucket_arguments, waiting)
    finally:
        progress.clear()
    progress.done(f"Files: {restored.back:,} restored.")
    return restored


def _remove(bucket_arguments: dict[str, str], markers: list[Entry]) -> list[Entry]:
    """Remove up to 1,000 markers, and return the rest."""
    response = client("s3").delete_objects(**bucket_arguments, Delete={"Objects": markers[:_TOGETHER], "Quiet": True})
    if errors := response.get("Errors"):
        raise CommandFailure(
            f"S3 could not restore {len(errors)} files. {errors[0].get('Key')}: {errors[0].get('Message')}."
        )
    return markers[_TOGETHER:]


def _entries(bucket_arguments: dict[str, str]) -> Iterator[Entry]:
    """Yield versions and delete markers sorted by key. S3 lists them separately in each page."""
    pages = client("s3").get_paginator("list_object_versions")
    for folder in FOLDERS:
        for page in pages.paginate(**bucket_arguments, Prefix=f"{folder}/"):
            entries = [{**entry, "marker": False} for entry in page.get("Versions", [])]
            entries += [{**entry, "marker": True} for entry in page.get("DeleteMarkers", [])]
            yield from sorted(entries, key=lambda entry: str(entry["Key"]).encode())
