"""The lines of an import between its file and its items: pages of a bounded size in S3, written once by one start."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from readdo import files

LINES = 100
BYTES = 2_000_000
KEPT_DAYS = 90  # by the bucket's own rule
Written = dict[str, Any]  # a line as its page holds it


def place(owner: str, import_id: str, epoch: int, number: int) -> str:
    """By the start that reads: another one reads another file, or the same one anew."""
    return f"imports/{owner}/{import_id}/{epoch}/{number:05d}.json"


def of(lines: Iterable[Written]) -> Iterator[bytes]:
    """Pages of at most LINES lines, and of no more than BYTES unless a single line is longer."""
    texts: list[str] = []
    size = 0
    for line in lines:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        length = len(text.encode())
        if texts and (len(texts) == LINES or size + length > BYTES):
            yield _joined(texts)
            texts, size = [], 0
        texts.append(text)
        size += length
    if texts:
        yield _joined(texts)


def _joined(texts: list[str]) -> bytes:
    return f"[{','.join(texts)}]".encode()


def read(row: Mapping[str, Any], number: int) -> list[Written]:
    found: list[Written] = json.loads(files.get(place(row["owner"], row["id"], row["read_epoch"], number)))
    return found


def is_there(row: Mapping[str, Any]) -> bool:
    """Whether what is left to be brought in can still be read; nothing left is there, too."""
    number = row["page"]
    return (
        number >= row["pages"] or files.size_of(place(row["owner"], row["id"], row["read_epoch"], number)) is not None
    )
