"""A backup's file as it lies in the bucket, read a stretch at a time and within limits."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from readdo import files
from readdo.backup.archive_part import FORMAT, FORMAT_VERSION
from readdo.errors import StepFailed
from readdo.messages import Message, message

STRETCH = 1_048_576
DIRECTORY_MAX = 100_000_000
UNPACKED_MAX = 20_000_000_000
LINE_MAX = 10_000_000
LINES_MAX = 5_000_000
_READ = b"read"
FILE_MAX = 60_000_000


_BROKEN = (zipfile.BadZipFile, zlib.error, KeyError, TypeError, ValueError, EOFError, RuntimeError)


class UnreadableZip(StepFailed):
    def __init__(self, words: str) -> None:
        super().__init__("RESTORE_FAILED", words, retryable=False)


class BucketFile(io.RawIOBase):
    """A file of the bucket that can be read from anywhere; one stretch of it is held."""

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


def opened(key: str, size: int) -> zipfile.ZipFile:
    """Refused if it is no backup of ours, or larger than may be, before anything of it is unpacked."""
    file = io.BufferedReader(BucketFile(key, size), STRETCH)
    _look_at_the_end(file)
    try:
        found = zipfile.ZipFile(file)
        about = json.loads(_start(found, "readdo.json"))
        wrong = _wrong(found, str(about["format"]), about["version"])
    except _BROKEN as error:
        raise UnreadableZip(message("restore.check_file", why=message("restore.not_a_backup"))) from error
    if wrong:
        raise UnreadableZip(message("restore.nothing_changed", why=wrong))
    return found


def _wrong(found: zipfile.ZipFile, form: str, version: object) -> Message | None:
    members = found.infolist()
    if (form, version) != (FORMAT, FORMAT_VERSION):
        return message("restore.unknown_version", n=FORMAT_VERSION)
    if not {"items.jsonl", "artifacts.jsonl"} <= {member.filename for member in members}:
        return message("restore.files_missing")
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        return message("restore.wrong_compression")
    if sum(member.file_size for member in members) > UNPACKED_MAX:
        return message("restore.too_large_unpacked", n=UNPACKED_MAX // 10**9)
    return None


def _look_at_the_end(file: IO[bytes]) -> None:
    """How long the directory is, before it is read into memory.

    By zipfile's own reading: it believes the record for large files whenever there is one, whatever the usual one says.
    """
    try:
        end = zipfile._EndRecData(file)  # type: ignore[attr-defined]  # private, and what ZipFile itself goes by
    except (*_BROKEN, OSError):
        end = None  # the file itself is refused when it is opened
    if end and end[zipfile._ECD_SIZE] > DIRECTORY_MAX:  # type: ignore[attr-defined]
        raise UnreadableZip(message("restore.directory_too_large"))


def _start(found: zipfile.ZipFile, name: str) -> bytes:
    with found.open(name) as member:
        return member.read(10_000)


def whole(found: zipfile.ZipFile, name: str, most: int = FILE_MAX) -> bytes | None:
    """A member; none if it is not there, too large, broken, or was read already: each has one item that names it."""
    try:
        member = found.getinfo(name)
        if member.file_size > most or member.comment == _READ:
            return None
        member.comment = _READ
        return found.read(name)
    except _BROKEN:
        return None


def lines(found: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Blank ones too: they take time as well, so whoever reads on counts them."""
    try:
        with found.open(name) as member:
            for _ in range(LINES_MAX):
                line = member.readline(LINE_MAX + 1)
                if len(line) > LINE_MAX:
                    raise UnreadableZip(message("restore.line_too_long", name=name))
                if not line:
                    return
                yield line
    except _BROKEN as error:
        words = message("restore.file_broken", name=name)
        raise UnreadableZip(message("restore.download_again", why=words)) from error
    raise UnreadableZip(message("restore.too_many_lines", name=name, n=LINES_MAX))
