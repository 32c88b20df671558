"""Completeness of Markdown documents, in whole 3,000ths, in both languages."""

from typing import Any

import pytest

from readdo.collect.completeness import check_document, missing_items, rate_of, status_of
from support.collect_pool import FRONT, document

LINK = "- https://www.gdcvault.com/play/1\n"
POINTS = "## Key points\n- a\n- b\n- c\n"


def parts(content: str, **headings: tuple[str, ...]) -> dict[str, int]:
    return {name: part["have"] for name, part in check_document(content, headings)["parts"].items()}


@pytest.mark.parametrize(
    ("summary", "details", "points", "rate", "status"),
    [
        (100, 200, 3000, 1.0, "complete"),
        (50, 200, 2700, 0.9, "complete"),  # 0.90 by the summary
        (100, 100, 2700, 0.9, "complete"),  # 0.90 by the details
        (75, 150, 2700, 0.9, "complete"),  # 0.90 by both
        (100, 99, 2697, 0.899, "partial"),
        (49, 200, 2694, 0.898, "partial"),
        (0, 0, 1800, 0.6, "partial"),
        (1000, 1000, 3000, 1.0, "complete"),
    ],
)
def test_rate_is_exact_at_the_limit(summary: int, details: int, points: int, rate: float, status: str) -> None:
    check = check_document(document(summary, details))
    assert (check["points"], rate_of(check["points"]), status_of(check["points"])) == (points, rate, status)


def test_rate_is_rounded_down_to_four_digits() -> None:
    assert [rate_of(points) for points in (2699, 2800, 1499, 1500, 0)] == [0.8996, 0.9333, 0.4996, 0.5, 0.0]
    assert [status_of(points) for points in (2699, 1500, 1499)] == ["partial", "partial", "incomplete"]


def test_empty_document_has_nothing() -> None:
    check = check_document("")
    assert (check["points"], check["text_digest"], set(parts("").values())) == (0, "", {0})


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("---\na: 1\nb: 2\n---\n", 2),
        ("---\na: 1\nb:\nc: TBD\nd: 待补充\ne: '[YYYY]'\nf: \"\"\n---\n", 1),
        ("---\ntags:\n  - x\n  - y\nauthors: []\n---\n", 1),
        ("a: 1\nb: 2\n", 0),
        ("## 元数据\n- 来源：GDC\n- **年份**: 2025\n- **语言：** 中文\n- 作者\n- 场次：暂无\n", 3),
        ("## 一、基本信息\n* name: value\n1. other: value\n", 2),
        ("## Metadata\n- https://www.gdcvault.com/play/1\n", 0),
        ("## Metadata\n- `code`: value\n- link: <https://a.example.edu/x>\n", 2),
        ("## 元数据\n- 文件: `a.md`\n- 演讲者:\n  - 张三\n- 年份:\n", 2),
        ("---\na: 1\n---\n## METADATA\n- a: 2\n- b: 3\n", 2),
        ("## Other\n- a: 1\n", 0),
    ],
)
def test_metadata_is_front_matter_or_a_list(content: str, fields: int) -> None:
    assert parts(content)["metadata"] == fields


@pytest.mark.parametrize(
    ("content", "links"),
    [
        ("https://www.gdcvault.com/play/1", 1),
        ("[talk](http://a.b.c/x) and <https://d.e/f>", 2),
        ("[talk](https://a.b/x) [again](https://a.b/x)", 1),
        ("`https://a.b/x`\n\n```\nhttps://a.b/y\n```\n\n    https://a.b/z\n", 0),
        ("https://example.com/a http://www.example.org https://a.example https://b.invalid http://localhost:80/", 0),
        ("[链接](待补充) [mail](mailto:a@b.c) [file](ftp://a.b/c) [x](#y)", 0),
        ("视频：https://a.b/讲座，幻灯片：https://a.b/ppt。", 2),
        ("[a][1]\n\n[1]: https://a.b/ref\n", 1),
    ],
)
def test_links_are_addresses_outside_of_code(content: str, links: int) -> None:
    assert parts(content)["resource_links"] == links


@pytest.mark.parametrize(
    ("content", "count"),
    [
        ("## Summary\nab cd\n", 4),
        ("# 一、内容摘要\n中文 字\n", 3),
        ("## ABSTRACT of it\nab\n## Else\ncd\n", 2),
        ("## Summary\nab\n### Part\ncd\n## End\nef\n", 4),
        ("## Summary\nab\n\n# Top\ncd\n## Summary again\nef\n", 4),
        ("## Summary\nab `code` https://a.b/c [name](https://a.b/c) ![alt](https://a.b/d)\n", 6),
        ("## Summary\n```\ncode\n```\n<b>ab</b>\n", 2),
        ("## Summary\n- ab\n- cd\n\n| e | f |\n|---|---|\n| g | h |\n", 8),
        ("## Summary\nTODO ab 待补充 [链接] 暂无\n", 2),
        ("## Summary\nTODOS\n", 5),
        ("## 摘要与关键要点\nab\n- cd\n", 4),
        ("Summary\n=======\nab\n", 2),
        ("```\n## Summary\nab\n```\n", 0),
    ],
)
def test_characters_of_the_rendered_text_are_counted(content: str, count: int) -> None:
    assert parts(content)["summary"] == count


def test_padding_counts_once() -> None:
    sentence = "这一句话已经超过十个字了。"
    assert parts(f"## 摘要\n{sentence * 5}\n")["summary"] == len(sentence)
    assert parts(f"## 摘要\n{sentence}\n## 详细内容\n{sentence}另外一句不同的话也算数。\n")["details"] == 12
    assert parts("## Summary\nShort. Short. Short.\n")["summary"] == 18


@pytest.mark.parametrize("width", [7, 20, 33, 60])
@pytest.mark.parametrize(
    "sentence",
    [
        "The same sentence of sixty characters is wrapped at many columns. ",
        "同一句话在不同的列换行，仍然只能算作一次内容。",
    ],
)
def test_padding_counts_once_however_it_is_wrapped(sentence: str, width: int) -> None:
    text = sentence * 12
    wrapped = "\n".join(text[n : n + width].strip() for n in range(0, len(text), width))
    once = parts(f"## 摘要\n{sentence}\n")["summary"]
    assert parts(f"## 摘要\n{wrapped}\n")["summary"] == once


def test_repeated_line_without_a_stop_counts_once() -> None:
    line = "这一行已经超过十个字了没有句号"
    assert parts("## 摘要\n" + f"{line}\n" * 5)["summary"] == len(line)


def test_heading_with_the_words_of_two_kinds_is_of_the_first() -> None:
    have = parts("## Details and summary\nabc\n")
    assert (have["summary"], have["details"]) == (3, 0)


def test_key_points_are_list_items_with_text() -> None:
    assert parts("## 关键要点\n1. 一\n2. 待补充\n3.\n4. 三\n   续行\n\ntext\n")["key_points"] == 2
    assert parts("## Takeaways\n- a\n  - b\n- [ ] c\n")["key_points"] == 3
    assert parts("## Other\n- a\n")["key_points"] == 0


def test_setting_adds_names_of_sections() -> None:
    content = "## Overview\nabc\n"
    assert (parts(content)["summary"], parts(content, summary=("overview",))["summary"]) == (0, 3)


def test_each_part_below_full_marks_has_a_sentence() -> None:
    assert missing_items(check_document(document())["parts"]) == []
    keys = [text.key for text in missing_items(check_document("")["parts"])]
    assert keys == [
        *("collect.missing_metadata", "collect.missing_resource_links", "collect.missing_summary"),
        *("collect.missing_details", "collect.missing_key_points"),
    ]
    (text,) = missing_items(check_document(document(99))["parts"])
    assert text == "The summary has 99 of 100 characters."


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (FRONT + LINK, "---\nb: 2\n---\n# T\n\n" + LINK, True),
        ("## Metadata\n- a: 1\n\n## Summary\nab c\n", "## Metadata\n- a: 2\n\n## Summary\nabc\n", True),
        (POINTS, POINTS + "- d\n", False),
    ],
)
def test_digest_of_the_text_leaves_metadata_out(one: str, other: str, same: Any) -> None:
    digests = {check_document(content)["text_digest"] for content in (one, other)}
    assert (len(digests) == 1) == same


def test_hostile_documents_are_checked_in_time() -> None:
    for content in ("[" * 50_000, "> " * 5000 + "a", "- " * 2000, "*a " * 20_000, "`" * 50_000, "|" * 50_000):
        assert check_document(content)["points"] <= 3000


@pytest.mark.parametrize(
    "value",
    [
        *("待补充。", "[待补充]", "（待补充）", "【待补充】", "(TBD)", "TODO.", "TBD!", "[YYYY]-[MM]-[DD]", "[YYYY年]"),
        *("YYYY-MM-DD", "。", "…", "[]", "[TBD, 待补充]", "&nbsp;", "\u200b", "\u3164"),
    ],
)
def test_placeholders_count_nothing_whatever_surrounds_them(value: str) -> None:
    have = parts(f"---\na: {value}\n---\n## 元数据\n- 甲: {value}\n\n## 要点\n- {value}\n")
    assert (have["metadata"], have["key_points"]) == (0, 0)


@pytest.mark.parametrize(
    ("front", "fields"),
    [
        ("a: # only a comment\nb: x # and a comment\nc: C# 12", 2),
        ("a: Null\nb: ~\nc: NULL", 0),
        ("a: |\n  text\n  more\nb: >-\n  folded\nc: |", 2),
        ("a: '2025'\nb: \"x: y\"\nc: 00:45", 3),
    ],
)
def test_front_matter_is_read_as_yaml(front: str, fields: int) -> None:
    assert parts(f"---\n{front}\n---\n")["metadata"] == fields


@pytest.mark.parametrize(
    "text",
    [
        *("(https://example.com)", "https://example.com, and", "https://example.com;", "https://example.com!"),
        *("“https://example.com”", "~~https://example.com~~", "https://example.com…", "https://example.com的页面"),
        *("{https://example.com}", "(http://localhost)", "[视频](https://[链接])", "https://待补充", "https://TODO"),
    ],
)
def test_addresses_that_are_no_resource_count_nothing(text: str) -> None:
    assert parts(f"---\nvideo: {text}\n---\n{text}\n\n- 链接: {text}\n")["resource_links"] == 0


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("见(https://a.bc/c)其中详细介绍了内容", 12),
        ("见https://a.bc/c其中详细", 5),
        ("https://a.bc/c,后面", 3),
        ("（来源：https://a.bc/c_(d)）后面", 7),
    ],
)
def test_text_behind_an_address_counts(text: str, count: int) -> None:
    have = parts(f"## 摘要\n{text}\n")
    assert (have["summary"], have["resource_links"]) == (count, 1)


def test_characters_that_nobody_sees_count_nothing() -> None:
    assert parts("## 摘要\n" + "\u200b" * 100 + "\u2060\u00a0\u3000\u3164字\n")["summary"] == 1


@pytest.mark.parametrize(
    "again",
    [
        *("This is a long sentence.This is a long sentence.", "“This is a long sentence.” “This is a long sentence.”"),
        *("This is a long sentence……this is a LONG sentence", "This is a long sentence. This is a long sentence"),
    ],
)
def test_repeated_sentence_is_found_in_any_form(again: str) -> None:
    assert 19 <= parts(f"## Summary\n{again}\n")["summary"] <= 24


def test_sentence_that_comes_before_the_sections_counts_in_its_section() -> None:
    sentence = "这一句话已经超过十个字了。"
    have = parts(f"> {sentence}\n\n## 要点\n- {sentence}\n\n## 摘要\n{sentence}\n\n## 详细内容\n{sentence}\n")
    assert (have["summary"], have["details"]) == (len(sentence), 0)


def test_heading_of_the_same_kind_goes_on_with_its_section() -> None:
    assert parts("## Details\na\n### Content pipeline\nb\n### Results\ncd\n## End\nef\n")["details"] == 4
    have = parts("## Details\na\n### Key  `Points`\n- b\n### Results\ncd\n")
    assert (have["details"], have["key_points"]) == (1, 1)
