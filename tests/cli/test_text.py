"""Text from outside: control sequences are removed, and its display width is correct."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from terminal.text import clean, clean_json, cut, fit, one_line, wrap

COMMANDS = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ud800-\udfff]"
)
MIXED = st.text(st.sampled_from("aB 中文，。「」()“”,.x7—…é👍\u0301\u200d") | st.characters(), max_size=120)


@given(st.text(st.characters() | st.sampled_from("\x1b\x9b[]0;31m\x07\u202e\ud800\r\n\t"), max_size=60))
def test_clean_removes_all_control_characters(text: str) -> None:
    assert COMMANDS.search(clean(text)) is None
    assert "\n" not in one_line(text)
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_one_line_removes_complete_sequences_and_keeps_text(text: str, expected: str) -> None:
    assert one_line(text) == expected


def test_single_line_field_cannot_contain_line_breaks() -> None:
    result = clean_json({"title": "a\n✓ deleted", "normalized_text": "a\nb\x1b[2J", "list": ["x\ny"], "n": 1.5})
    assert result == {"title": "a ✓ deleted", "normalized_text": "a\nb", "list": ["x y"], "n": 1.5}


@given(MIXED, st.integers(2, 60))
def test_cut_text_fits_and_ends_with_an_ellipsis(text: str, columns: int) -> None:
    text = one_line(text)
    output = cut(text, columns)
    assert cell_len(output) <= columns
    assert output == text or output.endswith("…")


@given(MIXED, st.integers(4, 60))
def test_wrapped_text_fits_and_loses_only_blanks(text: str, columns: int) -> None:
    text = one_line(text)
    lines = wrap(text, columns)
    assert [line for line in lines if cell_len(line) > columns] == []
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_wrapped_chinese_obeys_punctuation_rules() -> None:
    text = "租约让两个工作进程不会同时做同一件事，使用Kubernetes的时候「围栏令牌」很重要（见下文）。"
    for columns in range(8, 40):
        lines = wrap(text, columns)
        assert not [line for line in lines if line[0] in "，。」）"]
        assert not [line for line in lines if line[-1] in "「（"]
    assert all(cell_len(line) >= 17 for line in wrap(text, 20)[:-1]), "no ragged edge beside an English word"


def test_fit_text_counts_columns() -> None:
    assert cell_len(fit("中文", 10)) == 10
