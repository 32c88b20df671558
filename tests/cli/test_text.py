"""Text from elsewhere: nothing in it commands the terminal, and it is as wide as it looks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from terminal.text import clean, cleaned, cut, one_line, pad
from terminal.wrap import wrap

COMMANDS = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ud800-\udfff]"
)
MIXED = st.text(st.sampled_from("aB 中文，。「」()“”,.x7—…é👍\u0301\u200d") | st.characters(), max_size=120)


@given(st.text(st.characters() | st.sampled_from("\x1b\x9b[]0;31m\x07\u202e\ud800\r\n\t"), max_size=60))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    assert COMMANDS.search(clean(text)) is None
    assert "\n" not in one_line(text)
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]0;own the title\x07after", "after"),
        ("\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jgone", "gone"),
        ("\x90q#1\x9cpicture", "picture"),
        ("\x1b]52;c;cGF5bG9hZA==\x07clipboard", "clipboard"),
        ("an \x1b] unended sequence", "an unended sequence"),
        ("abc\u202egnp.exe", "abcgnp.exe"),
        ("over\rwritten", "over written"),
        ("tab\tand\x0bmore", "tab and more"),
        ("中\u200b文\ufeff", "中文"),
        ("👩\u200d👩\u200d👧 stays", "👩\u200d👩\u200d👧 stays"),
        ("half \ud83d of one", "half \ufffd of one"),
    ],
)
def test_sequences_go_whole_and_text_stays(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_a_field_of_one_line_cannot_forge_another() -> None:
    found = cleaned({"title": "a\n✓ deleted", "normalized_text": "a\nb\x1b[2J", "list": ["x\ny"], "n": 1.5})
    assert found == {"title": "a ✓ deleted", "normalized_text": "a\nb", "list": ["x y"], "n": 1.5}


@given(MIXED, st.integers(2, 60))
def test_what_is_cut_fits_and_says_so(text: str, columns: int) -> None:
    text = one_line(text)
    shown = cut(text, columns)
    assert cell_len(shown) <= columns
    assert shown == text or shown.endswith("…")


@given(MIXED, st.integers(4, 60))
def test_wrapping_fits_and_loses_nothing_but_blanks(text: str, columns: int) -> None:
    text = one_line(text)
    lines = wrap(text, columns)
    assert [line for line in lines if cell_len(line) > columns] == []
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_chinese_breaks_anywhere_but_not_before_a_comma_or_after_a_bracket() -> None:
    text = "租约让两个工作进程不会同时做同一件事，使用Kubernetes的时候「围栏令牌」很重要（见下文）。"
    for columns in range(8, 40):
        lines = wrap(text, columns)
        assert not [line for line in lines if line[0] in "，。」）"]
        assert not [line for line in lines if line[-1] in "「（"]
    assert all(cell_len(line) >= 17 for line in wrap(text, 20)[:-1]), "no ragged edge beside an English word"


def test_padding_counts_columns() -> None:
    assert cell_len(pad("中文", 10)) == 10
