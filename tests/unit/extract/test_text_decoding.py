"""Name the encoding of a plain text, or refuse to guess."""

import codecs

import pytest

from readdo.text_decoding import decode, encoding_of, wide_encoding
from unit.extract.languages import CHINESE, FRENCH, JAPANESE, KOREAN, RUSSIAN, TAIWAN

GUESSABLE = [
    *((CHINESE, name) for name in ("gb18030", "gbk", "utf-8", "utf-8-sig", "utf-16")),
    *((TAIWAN, name) for name in ("big5", "utf-8")),
    *((JAPANESE, name) for name in ("shift_jis", "euc_jp", "iso2022_jp", "utf-8")),
    (KOREAN, "euc_kr"),
    *((RUSSIAN, name) for name in ("cp1251", "koi8-r")),
    (FRENCH, "cp1252"),
]


@pytest.mark.parametrize(("text", "encoding"), GUESSABLE)
def test_encoding_of_a_long_text_decodes_it(text: str, encoding: str) -> None:
    body = (text * 20).encode(encoding)
    named = encoding_of(body)
    assert named is not None
    assert body.decode(named) == text * 20 == decode(body)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        *((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")),
        *((b"", "utf-32-le"), (b"", "utf-32-be")),
    ],
)
@pytest.mark.parametrize("text", ["One line of plain text.\n", "Read: 一二三四五六七八九十\n"])
def test_utf_32_is_decoded(mark: bytes, encoding: str, text: str) -> None:
    assert decode(mark + (text * 20).encode(encoding)) == text * 20


@pytest.mark.parametrize(
    "body",
    [
        "租约".encode("gb18030"),  # too short: its bytes are letters in many encodings
        (CHINESE * 20).encode("gb18030") + b"\xff\xff",
        CHINESE.encode()[:-1],
        b"\x80\x81\xfe" * 100,
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. " * 20).encode("cp1250"),
    ],
)
def test_encoding_of_damaged_or_ambiguous_text_is_not_guessed(body: bytes) -> None:
    assert encoding_of(body) is None


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("windows-1250", "cp1250"),
        ("X-CP1250", "cp1250"),
        ("ISO-8859-9", "cp1254"),
        *((unusable, None) for unusable in ("utf-7", "idna", "undefined", "rot13", "unicode_escape", "cp037", "x")),
    ],
)
def test_declared_encoding_is_used_if_it_is_one_of_texts(declared: str, encoding: str | None) -> None:
    assert encoding_of("kůň".encode("cp1250"), [declared]) == encoding


def test_zero_bytes_of_other_files_are_not_a_wide_encoding() -> None:
    assert [wide_encoding(body) for body in (bytes(400), b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b"text" * 50)] == [
        *(None, None, None),
    ]


@pytest.mark.parametrize("title", ["编程", "习惯", "阅读清单", "机器学习"])
def test_short_chinese_title_is_read(title: str) -> None:
    """A few characters are too few to compare encodings by their letters."""
    text = f"https://example.com/a,{title}\n"
    assert decode(text.encode("gb18030")) == text
