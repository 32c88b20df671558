"""Decode the same text from any encoding, with a right, wrong or missing declaration."""

import pytest

from readdo.extraction.decode import decode
from unit.extract.languages import CHINESE, FRENCH, JAPANESE, KOREAN, RUSSIAN, TAIWAN

PAIRS = [
    *((CHINESE, name) for name in ("gb18030", "gbk", "gb2312", "utf-8", "utf-16")),
    *((TAIWAN, name) for name in ("big5", "utf-8")),
    *((JAPANESE, name) for name in ("shift_jis", "euc_jp", "iso2022_jp", "utf-8")),
    (KOREAN, "euc_kr"),
    (RUSSIAN, "cp1251"),
    (FRENCH, "cp1252"),
]


def page(text: str, charset: str = "") -> str:
    declared = f'<meta charset="{charset}">' if charset else ""
    return (
        f"<html><head>{declared}<title>{text[:12]}</title></head><body><p>{(text + '</p><p>') * 12}</p></body></html>"
    )


@pytest.mark.parametrize(("text", "encoding"), PAIRS)
def test_decode_uses_the_declared_encoding(text: str, encoding: str) -> None:
    raw = page(text, encoding).encode(encoding)
    assert text in decode(raw, "text/html")
    assert text in decode(page(text).encode(encoding), f"text/html; charset={encoding}")


@pytest.mark.parametrize(("text", "encoding"), PAIRS)
def test_decode_detects_a_wrong_declaration(text: str, encoding: str) -> None:
    """Servers often declare UTF-8 or Latin-1 for everything."""
    for charset in ("utf-8", "iso-8859-1"):
        assert text in decode(page(text, charset).encode(encoding), f"text/html; charset={charset}")


@pytest.mark.parametrize(("text", "encoding"), [p for p in PAIRS if p[1] not in ("iso2022_jp", "cp1252")])
def test_decode_detects_an_undeclared_encoding(text: str, encoding: str) -> None:
    assert text in decode(page(text).encode(encoding), None)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_decode_detects_utf_16_without_a_byte_order_mark(encoding: str) -> None:
    assert CHINESE in decode(page(CHINESE).encode(encoding), "text/html")


@pytest.mark.parametrize("lost", [1, 2])
@pytest.mark.parametrize("text", [CHINESE, JAPANESE])
def test_decode_accepts_utf_8_that_ends_within_a_character(text: str, lost: int) -> None:
    raw = page(text).encode()
    cut = raw[: raw.rindex(text[-1].encode()) + 3 - lost]
    assert text in decode(cut, None)
    assert text in decode(cut, "text/html; charset=gbk")


@pytest.mark.parametrize(
    "declaration", ["", "text/html; charset=", "text/html; charset=klingon", "text/html; charset=utf-7"]
)
def test_decode_ignores_an_unknown_declaration(declaration: str) -> None:
    assert CHINESE in decode(page(CHINESE).encode("gb18030"), declaration)


@pytest.mark.parametrize("body", [b"", b"\xff", b"\xff\xfe", b"\x00", b"\x80" * 1000, bytes(range(256)) * 20])
def test_decode_returns_text_for_any_bytes(body: bytes) -> None:
    assert isinstance(decode(body, None), str)
