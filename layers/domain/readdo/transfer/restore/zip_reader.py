"""Read a backup's zip from the bucket, in ranges and within limits."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from readdo import files
from readdo.errors import StepFailed
from readdo.messages import Message, message
from readdo.transfer.backup.archive_part import FORMAT, FORMAT_VERSION

STRETCH = 1_048_576
DIRECTORY_MAX = 100_000_000
UNPACKED_MAX = 20_000_000_000
LINE_MAX = 10_000_000
LINES_MAX = 5_000_000
FILE_MAX = 60_000_000
_READ = b"read"  # the comment of a member that was read
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, KeyError, TypeError, ValueError, EOFError, RuntimeError)


class UnreadableZip(StepFailed):
    def __init__(self, words: str) -> None:
        super().__init__("RESTORE_FAILED", words, retryable=False)


class BucketFile(io.RawIOBase):
    """Seekable file in the bucket. One range of it is cached."""

    def __init__(self, key: str, size: int) -> None:
        self._key, self._size, self._at = key, size, 0
        self._held_from, self._held = 0, b""

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, into: object) -> int:
        view = memoryview(into).cast("B")  # type: ignore[arg-type]
        if not self._held_from <= self._at < self._held_from + len(self._held):
            length = max(0, min(max(STRETCH, len(view)), self._size - self._at))
            self._held_from, self._held = self._at, b"".join(files.chunks(self._key, self._at, length))
        start = self._at - self._held_from
        part = self._held[start : start + len(view)]
        view[: len(part)] = part
        self._at += len(part)
        return len(part)


def open_backup(key: str, size: int) -> zipfile.ZipFile:
    """Refuse a file that is no backup of ours or is too large, before any of it is unpacked."""
    file = io.BufferedReader(BucketFile(key, size), STRETCH)
    _check_directory_size(file)
    try:
        archive = zipfile.ZipFile(file)
        manifest = json.loads(_read_start(archive, "readdo.json"))
        problem = _find_problem(archive, str(manifest["format"]), manifest["version"])
    except _ZIP_ERRORS as error:
        raise UnreadableZip(message("restore.check_file", why=message("restore.not_a_backup"))) from error
    if problem:
        raise UnreadableZip(message("restore.nothing_changed", why=problem))
    return archive


def _find_problem(archive: zipfile.ZipFile, format_: str, version: object) -> Message | None:
    members = archive.infolist()
    if (format_, version) != (FORMAT, FORMAT_VERSION):
        return message("restore.unknown_version", n=FORMAT_VERSION)
    if not {"items.jsonl", "artifacts.jsonl"} <= {member.filename for member in members}:
        return message("restore.files_missing")
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        return message("restore.wrong_compression")
    if sum(member.file_size for member in members) > UNPACKED_MAX:
        return message("restore.too_large_unpacked", n=UNPACKED_MAX // 10**9)
    return None


def _check_directory_size(file: IO[bytes]) -> None:
    """Check the length of the directory before ZipFile reads it into memory.

    Uses zipfile's own parser, which prefers the ZIP64 record whenever there is one.
    """
    try:
        end = zipfile._EndRecData(file)  # type: ignore[attr-defined]  # private, but used by ZipFile itself
    except (*_ZIP_ERRORS, OSError):
        end = None  # ZipFile refuses the file when it opens it
    if end and end[zipfile._ECD_SIZE] > DIRECTORY_MAX:  # type: ignore[attr-defined]
        raise UnreadableZip(message("restore.directory_too_large"))


def _read_start(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as member:
        return member.read(10_000)


def read_member(archive: zipfile.ZipFile, name: str, limit: int = FILE_MAX) -> bytes | None:
    """Content of a member. None if it is missing, too large, damaged, or was read before."""
    try:
        member = archive.getinfo(name)
        if member.file_size > limit or member.comment == _READ:
            return None
        member.comment = _READ
        return archive.read(name)
    except _ZIP_ERRORS:
        return None


def stream_member(archive: zipfile.ZipFile, name: str, limit: int) -> Iterator[bytes]:
    """Content of a large member, piece by piece.

    Raises UnreadableZip if it is missing, too large or damaged.
    """
    try:
        with archive.open(name) as member:
            remaining = limit
            while piece := member.read(STRETCH):
                remaining -= len(piece)
                if remaining < 0:
                    raise zipfile.BadZipFile("too large")
                yield piece
    except _ZIP_ERRORS as error:
        words = message("restore.file_broken", name=name)
        raise UnreadableZip(message("restore.download_again", why=words)) from error


def lines(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Includes blank lines: they take time, too, so the caller counts them."""
    try:
        with archive.open(name) as member:
            for _ in range(LINES_MAX):
                line = member.readline(LINE_MAX + 1)
                if len(line) > LINE_MAX:
                    raise UnreadableZip(message("restore.line_too_long", name=name))
                if not line:
                    return
                yield line
    except _ZIP_ERRORS as error:
        words = message("restore.file_broken", name=name)
        raise UnreadableZip(message("restore.download_again", why=words)) from error
    raise UnreadableZip(message("restore.too_many_lines", name=name, n=LINES_MAX))
