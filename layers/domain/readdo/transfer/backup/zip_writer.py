"""Write a zip in pieces. Only the directory entry of each member is kept for the end.

zipfile keeps its directory in memory and must write the whole file itself. Here each piece is written by another
invocation, which knows only its offset.
"""

import struct
import zlib
from dataclasses import dataclass

from readdo import clock

_STORED, _DEFLATED = 0, 8
_PLAIN, _ZIP64 = 20, 45  # the version of the format that a reader needs
_MADE_BY = 3 << 8 | _ZIP64  # Unix, whose file modes follow
_UTF8 = 0x0800
_FULL, _MANY = 0xFFFFFFFF, 0xFFFF
_MODE = 0o100644 << 16
_COMPRESSED = (".png", ".pdf", ".zip")


@dataclass(frozen=True)
class Member:
    name: str
    crc: int
    packed: int
    size: int
    at: str
    method: int = _DEFLATED

    @property
    def _is_large(self) -> bool:
        return self.size >= _FULL or self.packed >= _FULL

    def _common_fields(self, extra: bytes, *, large: bool) -> tuple[bytes, bytes]:
        """Fields that the local header and the directory entry share, and the name."""
        name = self.name.encode()
        date, time = _dos(self.at)
        sizes = (_FULL, _FULL) if large else (self.packed, self.size)
        needs = _ZIP64 if extra else _PLAIN
        form = "<HHHHHIIIHH"
        return struct.pack(form, needs, _UTF8, self.method, time, date, self.crc, *sizes, len(name), len(extra)), name

    def header(self) -> bytes:
        extra = struct.pack("<HHQQ", 1, 16, self.size, self.packed) if self._is_large else b""
        common, name = self._common_fields(extra, large=self._is_large)
        return b"PK\x03\x04" + common + name + extra

    def entry(self, offset: int) -> bytes:
        large = self._is_large or offset >= _FULL
        extra = struct.pack("<HHQQQ", 1, 24, self.size, self.packed, offset) if large else b""
        common, name = self._common_fields(extra, large=large)
        where = struct.pack("<HHHII", 0, 0, 0, _MODE, _FULL if large else offset)
        return b"PK\x01\x02" + struct.pack("<H", _MADE_BY) + common + where + name + extra


def pack_member(name: str, body: bytes, at: str) -> tuple[Member, bytes]:
    """Pack a complete file: its member for the directory, and its bytes with the header."""
    stored = name.endswith(_COMPRESSED)
    packed = body if stored else _deflate(body)
    member = Member(name, zlib.crc32(body), len(packed), len(body), at, _STORED if stored else _DEFLATED)
    return member, member.header() + packed


def _deflate(body: bytes) -> bytes:
    packing = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packing.compress(body) + packing.flush()


LAST_BLOCK = b"\x03\x00"  # an empty block, which ends a member that was deflated in pieces


class Packing:
    """A piece of a long member. All its pieces and LAST_BLOCK form one deflate stream."""

    def __init__(self, crc: int) -> None:
        self.crc, self.size, self._packed = crc, 0, bytearray()
        self._packing = zlib.compressobj(wbits=-zlib.MAX_WBITS)

    def add(self, body: bytes) -> None:
        self.crc = zlib.crc32(body, self.crc)
        self.size += len(body)
        self._packed += self._packing.compress(body)

    def end(self) -> bytes:
        return bytes(self._packed) + self._packing.flush(zlib.Z_FULL_FLUSH)


def end(members: int, directory: int, offset: int) -> bytes:
    """The end records of ZIP64 and of ZIP. Numbers that do not fit into the latter have its maximum."""
    count, size, at = min(members, _MANY), min(directory, _FULL), min(offset, _FULL)
    new = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, _MADE_BY, _ZIP64, 0, 0, members, members, directory, offset)
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, offset + directory, 1)
    old = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, size, at, 0)
    return new + locator + old


def _dos(at: str) -> tuple[int, int]:
    moment = clock.parse(at)
    date = (max(moment.year, 1980) - 1980) << 9 | moment.month << 5 | moment.day
    return date, moment.hour << 11 | moment.minute << 5 | moment.second // 2
