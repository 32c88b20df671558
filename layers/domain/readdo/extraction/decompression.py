"""Decompress gzip and deflate bodies chunk by chunk, up to a limit of bytes."""

import zlib
from typing import Protocol


class _Object(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = 0) -> bytes: ...


HEADER = 2  # bytes that distinguish zlib from raw deflate


class UnknownCoding(Exception):
    pass


class Unpacker:
    def __init__(self, coding: str) -> None:
        if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise UnknownCoding(coding)
        self._plain = coding in ("", "identity")
        self._bare = coding == "deflate"  # some servers send raw deflate without the zlib header
        self._object: _Object = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._at_start = True
        self._head = b""

    @property
    def unfinished(self) -> bool:
        """True if the compressed data was cut off before its end."""
        return not self._plain and (bool(self._head) or not (self._at_start or self._object.eof))

    def feed(self, chunk: bytes, most: int) -> bytes:
        """Decompress at most `most` bytes. A caller that gets `most` bytes must stop: there may be more."""
        if self._plain:
            return chunk[:most]
        if self._at_start:
            self._head += chunk
            if len(self._head) < HEADER:
                return b""
            chunk, self._head = self._head, b""
        output = self._first(chunk, most) if self._at_start else self._object.decompress(chunk, most)
        while self._object.eof and self._object.unused_data and len(output) < most:
            rest = self._object.unused_data
            if not rest.startswith(b"\x1f\x8b"):
                break  # padding after the end
            self._object = zlib.decompressobj(zlib.MAX_WBITS | 32)
            output += self._object.decompress(rest, most - len(output))
        return output

    def _first(self, chunk: bytes, most: int) -> bytes:
        self._at_start = False
        try:
            return self._object.decompress(chunk, most)
        except zlib.error:
            if not self._bare:
                raise
            self._object = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._object.decompress(chunk, most)
