"""Lines and chunks: nothing is lost, whatever the text and the size of its blocks."""

from hypothesis import given
from hypothesis import strategies as st

from readdo.proof.lines import FIRST_CHUNK_CHARS, Line, cut_chunks, split_lines

ODD = "\r\n\u2028\u0085\f\v\x1c\ufeff"
TEXTS = st.text(st.sampled_from(ODD + "ab 。，……中文字😀𠮷\u3000"), max_size=200)


def blocks(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@given(TEXTS, st.integers(1, 20))
def test_lines_do_not_depend_on_the_blocks(text: str, size: int) -> None:
    lines = list(split_lines(blocks(text, size)))
    assert "".join(line.text + line.end for line in lines) == text
    assert lines == list(split_lines([text]))
    assert all(line.end in ("\n", "\r\n", "\r") for line in lines[:-1])
    assert not any({"\r", "\n"} & set(line.text) for line in lines)


def test_only_line_feeds_and_carriage_returns_end_a_line() -> None:
    [first, second] = split_lines(["a\u2028b\u0085c\fd\r", "\ne"])
    assert (first, second) == (Line("a\u2028b\u0085c\fd", "\r\n"), Line("e", ""))


@given(st.lists(st.sampled_from(["", "一行。", "x" * 90, "字" * 300, " "]), max_size=120), st.integers(200, 4000))
def test_chunks_give_the_text_back(lines: list[str], chunk_chars: int) -> None:
    text = "\n".join(lines)
    chunks = list(cut_chunks(split_lines([text]), chunk_chars))
    assert "".join(chunks) == text
    assert all(chunks)
    for number, chunk in enumerate(chunks):
        limit = chunk_chars if number else max(chunk_chars, FIRST_CHUNK_CHARS)
        assert len(chunk) <= limit or "\n" not in chunk[:-1]
        assert chunk.endswith("\n") or number == len(chunks) - 1


def test_chunk_ends_at_the_last_blank_line_that_fits() -> None:
    first, second = "一" * 900 + "\n\n", "二" * 900 + "\n" + "三" * 900 + "\n"
    assert list(cut_chunks(split_lines([first + second]), 2000)) == [first, second]


def test_long_line_is_one_chunk() -> None:
    text = "短\n" + "长" * 10_000 + "\n短\n"
    assert [len(chunk) for chunk in cut_chunks(split_lines([text]), 2000)] == [2, 10_001, 2]


def test_first_chunk_may_be_longer() -> None:
    text = ("字" * 99 + "\n") * 40
    assert [len(chunk) for chunk in cut_chunks(split_lines([text]), 500)] == [2000, 500, 500, 500, 500]
