"""Pages of an import's lines in S3: of limited size, written once by one start."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from readdo import files
from readdo.transfer.rows import ImportRow

LINES = 100
BYTES = 2_000_000
KEPT_DAYS = 90  # by the lifecycle rule of the bucket
Written = dict[str, Any]  # a line as stored in its page


def place(owner: str, import_id: str, epoch: int, number: int) -> str:
    """Includes the epoch: another start reads the file again."""
    return f"imports/{owner}/{import_id}/{epoch}/{number:05d}.json"


def of(lines: Iterable[Written]) -> Iterator[bytes]:
    """At most LINES lines and BYTES bytes per page, except for a single longer line."""
    texts: list[str] = []
    size = 0
    for line in lines:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        length = len(text.encode())
        if texts and (len(texts) == LINES or size + length > BYTES):
            yield _join(texts)
            texts, size = [], 0
        texts.append(text)
        size += length
    if texts:
        yield _join(texts)


def _join(texts: list[str]) -> bytes:
    return f"[{','.join(texts)}]".encode()


def read(row: ImportRow, number: int) -> list[Written]:
    lines: list[Written] = json.loads(files.get(place(row["owner"], row["id"], row["read_epoch"], number)))
    return lines


def is_there(row: ImportRow) -> bool:
    """True if the remaining lines can still be read, or if there are none."""
    number = row["page"]
    return (
        number >= row["pages"] or files.size_of(place(row["owner"], row["id"], row["read_epoch"], number)) is not None
    )
