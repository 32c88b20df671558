"""Files that were deleted since, of items that are alive: the bucket keeps them below a marker, which is taken away."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import Any

from cloud.aws import client
from cloud.progress import ProgressLine
from cloud.restore_rows import Live
from readdo.store import keys
from terminal.failures import CommandFailure
from terminal.session import Session

FOLDERS = ("content", "artifacts", "exports")
_TOGETHER = 1000  # as many as one call may delete
Entry = dict[str, Any]


@dataclass
class RestoredFiles:
    back: int = 0
    gone: int = 0  # of living items too, but the bucket has dropped what was below the marker


def put_back(session: Session, bucket: str, number: str, live: Live, since: datetime) -> RestoredFiles:
    progress, found, waiting = ProgressLine(session), RestoredFiles(), list[Entry]()
    its = {"Bucket": bucket, "ExpectedBucketOwner": number}
    lives = lru_cache(maxsize=16)(live.lives)  # an item's files lie together
    try:
        for key, entries in groupby(_entries(its), key=lambda entry: str(entry["Key"])):
            versions = list(entries)
            markers = [v for v in versions if v["marker"] and v["LastModified"] >= since]
            _, owner, item, *rest = [*key.split("/"), "", ""]
            if not any(marker["IsLatest"] for marker in markers) or not any(rest):
                continue
            if not lives(keys.item(owner, item)):
                continue
            if all(version["marker"] for version in versions):
                found.gone += 1
                continue
            found.back += 1
            waiting += [{"Key": key, "VersionId": marker["VersionId"]} for marker in markers]
            if len(waiting) >= _TOGETHER:
                waiting = _remove(its, waiting)
                progress.show(f"Files: {found.back:,} brought back")
        while waiting:
            waiting = _remove(its, waiting)
    finally:
        progress.clear()
    progress.done(f"Files: {found.back:,} brought back.")
    return found


def _remove(its: dict[str, str], markers: list[Entry]) -> list[Entry]:
    """What is left of them."""
    answer = client("s3").delete_objects(**its, Delete={"Objects": markers[:_TOGETHER], "Quiet": True})
    if errors := answer.get("Errors"):
        raise CommandFailure(
            f"S3 did not bring back {len(errors)} files; {errors[0].get('Key')}: {errors[0].get('Message')}."
        )
    return markers[_TOGETHER:]


def _entries(its: dict[str, str]) -> Iterator[Entry]:
    """Versions and markers, those of one object together: each page tells them apart, and both by name."""
    pages = client("s3").get_paginator("list_object_versions")
    for folder in FOLDERS:
        for page in pages.paginate(**its, Prefix=f"{folder}/"):
            both = [{**entry, "marker": False} for entry in page.get("Versions", [])]
            both += [{**entry, "marker": True} for entry in page.get("DeleteMarkers", [])]
            yield from sorted(both, key=lambda entry: str(entry["Key"]).encode())
