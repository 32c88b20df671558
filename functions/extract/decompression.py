"""Packed bytes → bytes, no more of them than asked for, in as many pieces as they come."""

import zlib
from typing import Protocol


class _Object(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = 0) -> bytes: ...


HEADER = 2  # bytes by which the two ways of deflate are told apart


class UnknownCoding(Exception):
    pass


class Unpacker:
    def __init__(self, coding: str) -> None:
        if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise UnknownCoding(coding)
        self._plain = coding in ("", "identity")
        self._bare = coding == "deflate"  # some send it without its header
        self._object: _Object = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._fresh = True
        self._begun = b""

    @property
    def unfinished(self) -> bool:
        """Packed, begun, and cut off before its end."""
        return not self._plain and (bool(self._begun) or not (self._fresh or self._object.eof))

    def feed(self, chunk: bytes, most: int) -> bytes:
        """At most `most` bytes; whoever gets that many has got too many, and stops."""
        if self._plain:
            return chunk[:most]
        if self._fresh:
            self._begun += chunk
            if len(self._begun) < HEADER:
                return b""
            chunk, self._begun = self._begun, b""
        made = self._first(chunk, most) if self._fresh else self._object.decompress(chunk, most)
        while self._object.eof and self._object.unused_data and len(made) < most:
            rest = self._object.unused_data
            if not rest.startswith(b"\x1f\x8b"):
                break  # what follows the end is padding
            self._object = zlib.decompressobj(zlib.MAX_WBITS | 32)
            made += self._object.decompress(rest, most - len(made))
        return made

    def _first(self, chunk: bytes, most: int) -> bytes:
        self._fresh = False
        try:
            return self._object.decompress(chunk, most)
        except zlib.error:
            if not self._bare:
                raise
            self._object = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._object.decompress(chunk, most)
