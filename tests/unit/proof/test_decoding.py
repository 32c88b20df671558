"""Decoding: strict, in blocks of any size, and back to the same bytes."""

import codecs
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readdo.proof import decoding
from readdo.proof.decoding import CERTAIN, LIKELY, NAMED, BinaryFile, BlankText, Blocks, Undecodable
from readdo.proof.option_values import known_codec

SIMPLIFIED = "他没有回头，只是看着门口的雨，想起她说过的话。我们都知道，这里什么也没有发生过。\r\n" * 30
TRADITIONAL = "他沒有回頭，只是看著門口的雨，想起她說過的話。我們都知道，這裡什麼也沒有發生過。\n" * 30
JAPANESE = "彼は振り返らず、ただ入り口の雨を見て、彼女の言葉を思い出した。ここでは何も起こらなかった。\n" * 30
KOREAN = "그는 뒤를 돌아보지 않고 문 앞의 비를 바라보며 그녀의 말을 생각했다. 아무 일도 일어나지 않았다.\n" * 30


def in_blocks(body: bytes, size: int = 1000) -> Blocks:
    return lambda: [body[at : at + size] for at in range(0, len(body), size)]


def text_of(blocks: Blocks, named: str = "") -> str:
    return "".join(decoding.decode(blocks, decoding.find_encoding(blocks, named)))


@pytest.mark.parametrize(
    ("text", "codec", "name", "confidence"),
    [
        (SIMPLIFIED, "utf-8", "utf-8", CERTAIN),
        (SIMPLIFIED, "utf-8-sig", "utf-8", CERTAIN),
        (SIMPLIFIED + "𠮷", "gb18030", "gb18030", LIKELY),
        (TRADITIONAL, "big5", "big5hkscs", LIKELY),
        (JAPANESE, "shift_jis", "cp932", LIKELY),
        (JAPANESE, "euc_jp", "euc_jp", LIKELY),
        (KOREAN, "euc_kr", "cp949", LIKELY),
        (SIMPLIFIED, "utf-16", "utf-16-le", CERTAIN),
        ("plain ASCII text\n" * 9, "ascii", "utf-8", CERTAIN),
        ("x" * 500_000 + SIMPLIFIED, "gb18030", "gb18030", LIKELY),
    ],
)
@pytest.mark.parametrize("size", [7, 65_536])
def test_encodings_are_found_and_bytes_come_back(text: str, codec: str, name: str, confidence: str, size: int) -> None:
    body = text.encode(codec)
    blocks = in_blocks(body, size)
    encoding = decoding.find_encoding(blocks)
    assert (encoding.name, encoding.confidence) == (name, confidence)
    assert "".join(decoding.decode(blocks, encoding)) == text
    assert encoding.mark + text.encode(decoding.plain_codec(encoding.name)) == body


def test_invalid_byte_in_the_middle_is_refused() -> None:
    body = SIMPLIFIED.encode("gb18030")
    with pytest.raises(Undecodable):
        text_of(in_blocks(body[:2000] + b"\xff" + body[2000:]))


def test_named_encoding_is_used_and_its_mark_is_no_text() -> None:
    blocks = in_blocks("é".encode("cp1252"))
    assert text_of(blocks, "cp1252") == "é"
    assert decoding.find_encoding(blocks, "cp1252").confidence == NAMED
    assert text_of(in_blocks(codecs.BOM_UTF16_BE + "字".encode("utf-16-be")), "utf-16") == "字"
    with pytest.raises(Undecodable):
        text_of(in_blocks(SIMPLIFIED.encode("gb18030")), "utf-8")


@pytest.mark.parametrize(
    ("name", "codec"), [("GBK", "gbk"), ("utf8", "utf-8"), ("nonsense", None), ("rot13", None), ("", None)]
)
def test_only_names_of_text_encodings_are_known(name: str, codec: str | None) -> None:
    assert known_codec(name) == codec


@pytest.mark.parametrize(
    ("blocks", "error"),
    [(["a\0b"], BinaryFile), (["\x01\x02" + "a" * 100], BinaryFile), ([" \n", "\u3000"], BlankText), ([], BlankText)],
)
def test_what_is_no_text_is_refused(blocks: list[str], error: type[Exception]) -> None:
    with pytest.raises(error):
        list(decoding.checked(blocks))


def test_form_feeds_and_separators_are_text() -> None:
    assert list(decoding.checked(["a\f\v\x1cb\n"])) == ["a\f\v\x1cb\n"]


@given(st.text(max_size=300), st.integers(1, 9))
def test_any_utf8_text_comes_back(text: str, size: int) -> None:
    body: bytes = b"\xef\xbb\xbf" + text.encode("utf-8", "replace")
    blocks: Iterable[bytes] = [body[at : at + size] for at in range(0, len(body), size)]
    encoding = decoding.find_encoding(lambda: blocks)
    assert (
        encoding.mark + "".join(decoding.decode(lambda: blocks, encoding)).encode(decoding.plain_codec(encoding.name))
        == body
    )
