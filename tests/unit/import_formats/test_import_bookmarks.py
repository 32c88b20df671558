"""Import bookmark pages of browsers and services, feeds, and hand-written lists."""

import pytest

from readdo.transfer.import_formats import BadFile, BadLine, ImportLine
from unit.import_formats import exported
from unit.import_formats.exported import as_json, bad_lines, good_lines, read


def test_chrome_page_folders_become_tags_except_the_bookmark_bar() -> None:
    one, two, script, three, own = read(exported.NETSCAPE_CHROME)
    assert one == ImportLine("https://example.org/1?a=1&b=2", "One <1>", saved_at="2020-09-13T12:26:41.000Z")
    assert two == ImportLine("https://example.org/二", "二", tags=("Work", "深入"), saved_at="2020-09-13T12:26:43.000Z")
    assert isinstance(script, BadLine) and (script.place, "bookmarklet" in script.words) == ("line 18", True)
    assert isinstance(three, ImportLine) and (three.tags, three.saved_at) == ((), "")
    assert isinstance(own, BadLine) and "internal page of the browser" in own.words


def test_firefox_page_gives_notes_and_tags() -> None:
    search, one, two = read(exported.NETSCAPE_FIREFOX)
    assert isinstance(search, BadLine) and "search" in search.words
    assert isinstance(one, ImportLine)
    assert (one.note, one.tags) == ("My own words,\non two lines", ("Reading", "a", "deep work"))
    assert isinstance(two, ImportLine) and (two.note, two.saved_at) == ("", "2020-09-13T12:26:42.123Z")


def test_safari_page_gives_no_dates_and_no_folders() -> None:
    assert good_lines(exported.NETSCAPE_SAFARI) == [
        ImportLine("https://example.org/1", "One"),
        ImportLine("https://example.org/2", "Two"),
    ]


def test_pinboard_and_linkding_page_is_read() -> None:
    one, two = good_lines(exported.NETSCAPE_PINBOARD)
    assert (one.tags, one.note, one.archived) == (("a", "b"), "why", False)
    assert (two.tags, two.note, two.archived) == (("x",), "Said\n\nNoted & kept", True)


def test_raindrop_page_marks_starred_links() -> None:
    page = exported.NETSCAPE_SAFARI.replace("<A ", '<A DATA-IMPORTANT="true" ', 1)
    assert [one.starred for one in good_lines(page)] == [True, False]


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_endings_of_a_page_do_not_matter(ends: str) -> None:
    assert read(exported.NETSCAPE_FIREFOX.replace("\n", ends)) == read(exported.NETSCAPE_FIREFOX)


def test_page_truncated_within_a_link_is_reported() -> None:
    cut = exported.NETSCAPE_CHROME[: exported.NETSCAPE_CHROME.index("example.org/3")]
    assert bad_lines(cut)[-1].place == "line 20"


def test_missing_quotation_mark_is_reported() -> None:
    page = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF="https://example.org/1>One</A>\n<DT><A HREF="https://b.org/">B</A></DL>'
    parsed = read(page)
    assert isinstance(parsed[0], BadLine) and "quotation mark is missing" in parsed[0].words


def test_chrome_bookmark_file_is_read() -> None:
    one, two, own = read(as_json(exported.CHROME))
    assert one == ImportLine("https://example.org/1", "One", saved_at="2020-09-13T12:26:40.000Z")
    assert two == ImportLine("https://example.org/二", "二", tags=("Work",))
    assert isinstance(own, BadLine) and own.place == "bookmark 3"


def test_firefox_backup_is_read() -> None:
    one, search, two = read(as_json(exported.FIREFOX))
    assert one == ImportLine("https://example.org/1", "One", tags=("a", "b"), saved_at="2020-09-13T12:26:41.000Z")
    assert isinstance(search, BadLine)
    assert two == ImportLine("https://example.org/二", "二", tags=("工作",))


def test_feed_gives_its_home_page() -> None:
    feed, article, only = read(exported.OPML)
    assert feed == ImportLine("https://example.org/home", "A feed", tags=("Work",))
    assert article == ImportLine(
        "https://example.org/文", "一篇文章", note="好", tags=("Work",), saved_at="2024-01-15T10:00:00.000Z"
    )
    assert isinstance(only, BadLine) and (only.place, only.link) == ("line 6", "https://example.org/only")


@pytest.mark.parametrize(
    "entity",
    [
        '<!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE opml [<!ENTITY % p SYSTEM "http://example.org/p.dtd"> %p;]>',
    ],
)
def test_opml_with_entities_is_refused(entity: str) -> None:
    hostile = exported.OPML.replace("<opml", f"{entity}<opml").replace("A feed", "&x;")
    with pytest.raises(BadFile, match="its own XML entities"):
        read(hostile)


def test_truncated_opml_is_refused() -> None:
    with pytest.raises(BadFile, match="not valid OPML"):
        read(exported.OPML[: exported.OPML.index("</outline>")])


def test_malformed_opml_names_the_line() -> None:
    with pytest.raises(BadFile, match=r"line 6 is not well-formed. Correct it"):
        read(exported.OPML.replace('text="Only a feed"', 'text="Only & feed"'))


def test_hand_written_list_is_read() -> None:
    parsed = read(exported.LINKS)
    assert [(one.url, one.title) for one in parsed if isinstance(one, ImportLine)] == [
        ("https://example.org/1", ""),
        ("https://example.org/wiki/Two_(2)", "Two, with (brackets)"),
        ("https://example.org/3", "Three"),
        ("https://example.org/四", "四 很好"),
        ("https://example.org/5", "Five"),
        ("https://example.org/6", ""),
    ]
    assert [one.archived for one in parsed if isinstance(one, ImportLine)] == [False] * 5 + [True]
    script, nothing = (one for one in parsed if isinstance(one, BadLine))
    assert (script.place, nothing.place) == ("line 8", "line 9")
    assert "Put a # in front" in nothing.words


@pytest.mark.parametrize(
    ("written", "links"),
    [
        ("Read https://example.org/a and https://example.org/b.", ["https://example.org/a", "https://example.org/b"]),
        ("(see https://example.org/a_(b)).", ["https://example.org/a_(b)"]),
        ("（https://example.org/a）", ["https://example.org/a"]),
        ("<https://example.org/a>", ["https://example.org/a"]),
        ("[a](https://example.org/a) [b](<https://example.org/b>)", ["https://example.org/a", "https://example.org/b"]),
        ("www.example.org/a", ["https://www.example.org/a"]),
        ("https://example.org/a?u=https://example.net/b", ["https://example.org/a?u=https://example.net/b"]),
        (
            "\t- [x] [a](https://example.org/a)\n   2) https://example.org/b",
            ["https://example.org/a", "https://example.org/b"],
        ),
        ("HTTPS://EXAMPLE.org/A", ["HTTPS://EXAMPLE.org/A"]),
        ("https://example.org/#/route", ["https://example.org/#/route"]),
        ("请看：https://example.org/文章。谢谢", ["https://example.org/文章"]),
    ],
)
def test_link_end_is_found(written: str, links: list[str]) -> None:
    assert [one.url for one in good_lines(written)] == links


def test_opml_categories_become_tags_and_title_is_accepted() -> None:
    outline = '<opml><body><outline title="One" url="https://example.org/1" category="/Work/深度,later"/></body></opml>'
    assert good_lines(outline) == [ImportLine("https://example.org/1", "One", tags=("Work", "深度", "later"))]


def test_page_with_lower_case_tags_and_unquoted_attributes_is_read() -> None:
    page = "<dl><dt><h3>Work</h3><dl><dt><a href=https://example.org/1 add_date=1600000001>One<br>more</a></dl></dl>"
    assert good_lines(page) == [
        ImportLine("https://example.org/1", "One more", tags=("Work",), saved_at="2020-09-13T12:26:41.000Z"),
    ]


def test_text_beside_a_link_is_not_its_note() -> None:
    link = "<dt><a href='https://example.org/1'>One</a> beside"
    assert [one.note for one in good_lines(f"<dl>{link} <dd>mine{link}</dl>")] == ["mine", ""]


def test_comments_and_scripts_are_ignored() -> None:
    hidden = "<a href='https://example.org/hidden'>x</a>"
    page = f"<dl><dt><!-- {hidden} --><script>{hidden}</script><a href='https://example.org/1'>a < b</a></dl>"
    assert good_lines(page) == [ImportLine("https://example.org/1", "a < b")]


def test_ticked_box_at_any_depth_is_archived() -> None:
    parsed = good_lines(
        "- [x] [a](https://example.org/1)\n    - [X] https://example.org/2\n  - [ ] https://example.org/3\n"
    )
    assert [(one.archived, one.title) for one in parsed] == [(True, "a"), (True, ""), (False, "")]


def test_comments_and_rules_in_a_list_are_skipped() -> None:
    assert [one.url for one in good_lines("# https://example.org/0\n// no\n---\n\n#tag\nhttps://example.org/1\n")] == [
        "https://example.org/1",
    ]


def test_line_that_is_too_long_is_reported() -> None:
    (bad_line,) = bad_lines("https://example.org/1\n" + "https://example.org/2 " * 2000)
    assert (bad_line.place, "Write one link per line" in bad_line.words) == ("line 2", True)
