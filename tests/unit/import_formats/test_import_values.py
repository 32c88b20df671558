"""Normalize links, dates, tags and texts of any product."""

import json

import pytest

from readdo.transfer.import_formats import BadLine, ImportLine, links, values
from unit.import_formats.exported import as_json, bad_lines, good_lines, read


@pytest.mark.parametrize(
    ("written", "link"),
    [
        ("https://example.org/a", "https://example.org/a"),
        ("  https://example.org/a b\n", "https://example.org/a%20b"),
        ("https://exam\tple.org/\u200a文\u3000章", "https://example.org/%E2%80%8A文%E3%80%80章"),
        ("//example.org/a", "https://example.org/a"),
        ("www.example.org", "https://www.example.org"),
        ("WWW.example.org", "https://WWW.example.org"),
        ("https://例子.测试/文章", "https://例子.测试/文章"),
    ],
)
def test_link_is_normalized_as_in_browsers(written: str, link: str) -> None:
    assert links.link(written) == link


def test_link_of_the_maximum_length_is_accepted() -> None:
    longest = f"https://example.org/{'a' * 1980}"
    assert links.link(longest) == longest


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("", "no_link"),
        ("javascript:alert(1)", "bookmarklet"),
        ("JavaScript:alert('https://example.org')", "bookmarklet"),
        ("java\nscript:alert(1)", "bookmarklet"),
        ("file:///C:/notes.pdf", "local_file"),
        ("place:sort=8", "firefox_search"),
        ("chrome://settings", "browser_page"),
        ("about:blank", "browser_page"),
        ("mailto:a@example.org", "mail"),
        ("data:text/html,<p>", "data_url"),
        ("magnet:?xt=urn:btih:1", "wrong_scheme"),
        ("example.org/a", "link_without_scheme"),
        ("example.org:8080/a", "link_without_scheme"),
        ("not-a-url", "link_without_scheme"),
        ("https://", "link_without_site"),
        ("https:///a", "link_without_site"),
        ("https://[::1/a", "site_unreadable"),
        ("https://me:secret@example.org/", "link_has_credentials"),
        ("https://me@example.org/", "link_has_credentials"),
        (f"https://example.org/{'a' * 2000}", "link_too_long"),
        (f"https://example.org/{'a' * 20_000}", "link_too_long"),
        ('https://example.org/1>One</A>\n<DT><A HREF=', "link_runs_on"),
    ],
)  # fmt: skip
def test_unusable_link_is_refused_with_a_reason(written: str, key: str) -> None:
    with pytest.raises(links.BadLink) as raised:
        links.link(written)
    assert raised.value.args[0].key == f"import_line.{key}"
    assert str(raised.value).endswith(".")


@pytest.mark.parametrize(
    ("written", "at"),
    [
        (1728576752, "2024-10-10T16:12:32.000Z"),
        ("1728576752", "2024-10-10T16:12:32.000Z"),
        (1728576752.9, "2024-10-10T16:12:32.000Z"),
        ("1728576752.5", "2024-10-10T16:12:32.500Z"),
        (1728576752123, "2024-10-10T16:12:32.123Z"),
        ("1728576752123456", "2024-10-10T16:12:32.123Z"),
        ("1728576752123456789", "2024-10-10T16:12:32.123Z"),
        ("2024-10-10T16:12:32.123Z", "2024-10-10T16:12:32.123Z"),
        ("2024-10-10T16:12:32.123456789Z", "2024-10-10T16:12:32.123Z"),
        ("2024-10-10 16:12:32", "2024-10-10T16:12:32.000Z"),
        ("2024-10-10 16:12:32 UTC", "2024-10-10T16:12:32.000Z"),
        ("2024/10/10", "2024-10-10T00:00:00.000Z"),
        ("1990-01-01", "1990-01-01T00:00:00.000Z"),
        ("2099-12-31", "2099-12-31T00:00:00.000Z"),
        *((nonsense, "") for nonsense in ("1989-12-31", "2100-01-01")),
        ("20241010", "2024-10-10T00:00:00.000Z"),
        ("2024-10-11T00:12:32+0800", "2024-10-10T16:12:32.000Z"),
        ("2024-10-11 00:12:32+08:00", "2024-10-10T16:12:32.000Z"),
        ("Thu, 10 Oct 2024 16:12:32 GMT", "2024-10-10T16:12:32.000Z"),
        ({"date": "2024-10-10 16:12:32.000000", "timezone": "UTC"}, "2024-10-10T16:12:32.000Z"),
        *((nonsense, "") for nonsense in (0, "0", -1, "", "yesterday", "昨天", None, True, float("nan"))),
        ([], ""),
        ({}, ""),
        *((nonsense, "") for nonsense in (float("inf"), 10**400, "9" * 30, "9" * 5000, "9999-12-31")),
        *((nonsense, "") for nonsense in ("253402300799", "2024-13-01", "2024-02-30", "٢٠٢٤", "0001-01-01T00:00:00Z")),
        *((nonsense, "") for nonsense in ("2024-01-01T00:00:00+99:99", "١٧٢٨٥٧٦٧٥٢")),
    ],
)  # fmt: skip
def test_date_is_parsed_or_empty(written: object, at: str) -> None:
    assert values.date(written) == at


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("13244473600000000", "2020-09-13T12:26:40.000Z"),
        *((nonsense, "") for nonsense in ("0", "", None, "9" * 18, "13244473600", "-13244473600000000")),
        ([], ""),
    ],
)
def test_chrome_dates_count_from_1601(written: object, at: str) -> None:
    assert values.chrome_date(written) == at


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a|b c| a |A", ("a", "b c")),
        ("a, b；c", ("a, b", "c")),
        ("甲、乙、甲", ("甲", "乙")),
        ('["a", "b"]', ("a", "b")),
        ("['a', \"it's\", 'say \\'x\\'']", ("a", "it's", "say 'x'")),
        ("['a', 'not closed]", ("a", "not closed")),
        (" [a, b]\n", ("a", "b")),
        ("[draft] notes", ("[draft] notes",)),
        ("[]", ()),
        ([{"name": "a"}, {"label": "b"}, {"id": 1}, None, 7, "c"], ("a", "b", "7", "c")),
        (None, ()),
        ("Straße,STRASSE", ("Straße",)),
        ("a\nb", ("a b",)),
    ],
)
def test_tags_are_unique_and_in_order(written: object, expected: tuple[str, ...]) -> None:
    assert values.unique_tags(values.split_tags(written)) == expected


def test_long_values_are_truncated() -> None:
    (line,) = good_lines(
        as_json({"items": [{
            "url": "https://example.org/1", "title": "标" * 1000, "note": "n" * 20_000, "content": "c" * 500_000,
            "tags": [f"{number:0100}" for number in range(90)] + [f"t{number}" for number in range(90)],
        }]})
    )  # fmt: skip
    assert (len(line.title), len(line.note), len(line.content)) == (300, 10_000, 400_000)
    assert len(line.tags) == 50
    assert max(len(tag) for tag in line.tags) == 80


def test_control_characters_and_surrogates_are_removed() -> None:
    written = json.dumps(
        [
            {
                "url": "https://example.org/\ud800",
                "title": "a\x00b\ud83d\n\u2028c",
                "note": "a\r\nb\x07\udc00",
                "tags": "x\x00y",
            }
        ]
    )
    (line,) = good_lines(written)
    assert line == ImportLine("https://example.org/\ufffd", "a b\ufffd c", "a\nb\ufffd", ("x y",))


@pytest.mark.parametrize(
    ("written", "language"),
    [("zh_CN", "zh-CN"), ("en", "en"), ("", ""), (None, ""), ("a language", ""), ("x" * 30, ""), ("中文", "")],
)
def test_language_is_valid_or_empty(written: object, language: str) -> None:
    assert values.language(written) == language


def test_line_needs_a_link_or_content() -> None:
    body = as_json([{"url": "", "content": "文字"}, {"url": None, "title": "Nothing", "content": " \n"}])
    text, nothing = read(body)
    assert text == ImportLine(content="文字")
    assert isinstance(nothing, BadLine) and nothing.link == "Nothing"


def test_bad_link_is_reported_despite_content() -> None:
    (bad_line,) = bad_lines(as_json([{"url": "javascript:1", "content": "文字"}]))
    assert bad_line.link == "javascript:1"
