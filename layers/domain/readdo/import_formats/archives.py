"""A zip, opened under limits. Nothing of it is written anywhere, so its names are only names."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from readdo.import_formats.rejections import BadFile
from readdo.messages import message

ENTRIES_MAX = 20_000
MEMBER_MAX = 20_000_000
UNPACKED_MAX = 200_000_000
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError),
    *(OverflowError, LookupError),
)


class Packed:
    """The files of a zip by name, folders and what macOS adds left out."""

    def __init__(self, body: bytes) -> None:
        self._zip: zipfile.ZipFile = _guarded(message("import_file.the_zip"), lambda: zipfile.ZipFile(io.BytesIO(body)))
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
            raise BadFile(message("import_file.zip_member_too_large", file=_shown(name), n=MEMBER_MAX // 1_000_000))
        return self.beginning(name, MEMBER_MAX)

    def beginning(self, name: str, most: int) -> bytes:
        info = self._infos[name]
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _PLAIN:
            raise BadFile(message("import_file.zip_member_encrypted", file=_shown(name)))

        def unpacked() -> bytes:
            with self._zip.open(info) as member:
                return member.read(most)

        return bytes(_guarded(_shown(name), unpacked))


def is_zip(body: bytes) -> bool:
    return body.startswith(_MAGIC)


def _is_a_file(name: str) -> bool:
    return not name.endswith("/") and not name.startswith("__MACOSX/")


def _shown(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name[-100:])


def _guarded(what: str, act: Callable[[], Any]) -> Any:
    try:
        return act()
    except _DAMAGE:
        raise BadFile(message("import_file.zip_damaged", what=what)) from None
