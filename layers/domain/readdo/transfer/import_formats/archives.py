"""Zip reader with limits. Names in the zip are never used as paths."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats.import_line import BadFile

ENTRIES_MAX = 20_000
MEMBER_MAX = 20_000_000
UNPACKED_MAX = 200_000_000
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_DAMAGE_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError),
    *(OverflowError, LookupError),
)


class Packed:
    """Files of a zip by name, without folders and macOS metadata."""

    def __init__(self, body: bytes) -> None:
        self._zip: zipfile.ZipFile = _guard(message("import_file.the_zip"), lambda: zipfile.ZipFile(io.BytesIO(body)))
        infos = self._zip.infolist()
        if len(infos) > ENTRIES_MAX:
            raise BadFile(message("import_file.zip_too_many_files", n=ENTRIES_MAX))
        if sum(info.file_size for info in infos) > UNPACKED_MAX:
            raise BadFile(message("import_file.zip_too_large", n=UNPACKED_MAX // 1_000_000))
        self._infos = {info.filename: info for info in infos if _is_a_file(info.filename)}

    def names(self) -> list[str]:
        return sorted(self._infos)

    def read(self, name: str) -> bytes:
        if self._infos[name].file_size > MEMBER_MAX:
            raise BadFile(message("import_file.zip_member_too_large", file=printable(name), n=MEMBER_MAX // 1_000_000))
        return self.beginning(name, MEMBER_MAX)

    def beginning(self, name: str, limit: int) -> bytes:
        info = self._infos[name]
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _PLAIN:
            raise BadFile(message("import_file.zip_member_encrypted", file=printable(name)))

        def unpack() -> bytes:
            with self._zip.open(info) as member:
                return member.read(limit)

        return bytes(_guard(printable(name), unpack))


def is_zip(body: bytes) -> bool:
    return body.startswith(_MAGIC)


def printable(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name[-100:])


def _is_a_file(name: str) -> bool:
    return not name.endswith("/") and not name.startswith("__MACOSX/")


def _guard(what: str, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except _DAMAGE_ERRORS:
        raise BadFile(message("import_file.zip_damaged", what=what)) from None
