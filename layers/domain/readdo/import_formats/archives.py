"""A zip, opened under limits. Nothing of it is written anywhere, so its names are only names."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from readdo.import_formats.rejections import BadFile

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
        self._zip: zipfile.ZipFile = _guarded("the zip", lambda: zipfile.ZipFile(io.BytesIO(body)))
        infos = self._zip.infolist()
        if len(infos) > ENTRIES_MAX:
            raise BadFile(f"The zip holds more than {ENTRIES_MAX:,} files. Unpack it, and import its lists one by one.")
        if sum(info.file_size for info in infos) > UNPACKED_MAX:
            raise BadFile(
                f"Unpacked, the zip is larger than {UNPACKED_MAX // 1_000_000} MB. Unpack it, and import its lists "
                "one by one, without the saved pages."
            )
        self._infos = {info.filename: info for info in infos if _is_a_file(info.filename)}

    def names(self) -> list[str]:
        return sorted(self._infos)

    def read(self, name: str) -> bytes:
        if self._infos[name].file_size > MEMBER_MAX:
            raise BadFile(f"In the zip, {_shown(name)} is larger than {MEMBER_MAX // 1_000_000} MB. Split it.")
        return self.beginning(name, MEMBER_MAX)

    def beginning(self, name: str, most: int) -> bytes:
        info = self._infos[name]
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _PLAIN:
            raise BadFile(
                f"In the zip, {_shown(name)} is encrypted or packed in a rare way. Pack it anew, without that."
            )

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
        raise BadFile(
            f"The zip cannot be unpacked: {what} is damaged. Download it again, or unpack it yourself."
        ) from None
