"""Decode a web page, with the statistics of charset_normalizer as the last opinion on its encoding."""

import re

from charset_normalizer import from_bytes

from readdo import text_decoding

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.I)


def decode(body: bytes, content_type: str | None) -> str:
    return text_decoding.decode(body, _CHARSET.findall(content_type or "")[:1], _by_statistics)


def _by_statistics(words: bytes) -> list[str]:
    match = from_bytes(words).best() if words else None
    return [match.encoding] if match else []
