"""Bookmarks of browsers, and of whoever writes as they do; feeds; lists that people write."""

import exported
import pytest
from exported import as_json, bad, good, read

from readdo.import_formats import BadFile, BadLine, ImportLine


def test_chromes_page_folders_are_tags_and_its_own_bar_is_none() -> None:
    one, two, script, three, own = read(exported.NETSCAPE_CHROME)
    assert one == ImportLine("https://example.org/1?a=1&b=2", "One <1>", saved_at="2020-09-13T12:26:41.000Z")
    assert two == ImportLine("https://example.org/二", "二", tags=("Work", "深入"), saved_at="2020-09-13T12:26:43.000Z")
    assert isinstance(script, BadLine) and (script.place, "bookmarklet" in script.words) == ("line 18", True)
    assert isinstance(three, ImportLine) and (three.tags, three.saved_at) == ((), "")
    assert isinstance(own, BadLine) and "of the browser itself" in own.words


def test_firefoxs_page_has_notes_and_tags() -> None:
    search, one, two = read(exported.NETSCAPE_FIREFOX)
    assert isinstance(search, BadLine) and "search" in search.words
    assert isinstance(one, ImportLine)
    assert (one.note, one.tags) == ("My own words,\non two lines", ("Reading", "a", "deep work"))
    assert isinstance(two, ImportLine) and (two.note, two.saved_at) == ("", "2020-09-13T12:26:42.123Z")


def test_safaris_page_has_neither_dates_nor_folders_of_ones_own() -> None:
    assert good(exported.NETSCAPE_SAFARI) == [
        ImportLine("https://example.org/1", "One"),
        ImportLine("https://example.org/2", "Two"),
    ]


def test_pinboards_and_linkdings_page() -> None:
    one, two = good(exported.NETSCAPE_PINBOARD)
    assert (one.tags, one.note, one.archived) == (("a", "b"), "why", False)
    assert (two.tags, two.note, two.archived) == (("x",), "Said\n\nNoted & kept", True)


def test_raindrops_page_marks_what_is_important() -> None:
    page = exported.NETSCAPE_SAFARI.replace("<A ", '<A DATA-IMPORTANT="true" ', 1)
    assert [one.starred for one in good(page)] == [True, False]


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_a_pages_line_ends_do_not_matter(ends: str) -> None:
    assert read(exported.NETSCAPE_FIREFOX.replace("\n", ends)) == read(exported.NETSCAPE_FIREFOX)


def test_a_page_that_ends_in_the_middle_of_a_link_tells_so() -> None:
    cut = exported.NETSCAPE_CHROME[: exported.NETSCAPE_CHROME.index("example.org/3")]
    assert bad(cut)[-1].place == "line 20"


def test_a_quotation_mark_that_is_missing_is_told() -> None:
    page = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF="https://example.org/1>One</A>\n<DT><A HREF="https://b.org/">B</A></DL>'
    told = read(page)
    assert isinstance(told[0], BadLine) and "quotation mark is missing" in told[0].words


def test_chromes_own_file() -> None:
    one, two, own = read(as_json(exported.CHROME))
    assert one == ImportLine("https://example.org/1", "One", saved_at="2020-09-13T12:26:40.000Z")
    assert two == ImportLine("https://example.org/二", "二", tags=("Work",))
    assert isinstance(own, BadLine) and own.place == "bookmark 3"


def test_firefoxs_backup() -> None:
    one, search, two = read(as_json(exported.FIREFOX))
    assert one == ImportLine("https://example.org/1", "One", tags=("a", "b"), saved_at="2020-09-13T12:26:41.000Z")
    assert isinstance(search, BadLine)
    assert two == ImportLine("https://example.org/二", "二", tags=("工作",))


def test_of_a_feed_its_home_page_is_kept() -> None:
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
def test_entities_are_refused(entity: str) -> None:
    hostile = exported.OPML.replace("<opml", f"{entity}<opml").replace("A feed", "&x;")
    with pytest.raises(BadFile, match="declares entities"):
        read(hostile)


def test_outlines_that_end_in_the_middle_are_refused() -> None:
    with pytest.raises(BadFile, match="no whole OPML"):
        read(exported.OPML[: exported.OPML.index("</outline>")])


def test_xml_that_is_not_whole_says_where() -> None:
    with pytest.raises(BadFile, match=r"line 6 is not well formed. Correct it"):
        read(exported.OPML.replace('text="Only a feed"', 'text="Only & feed"'))


def test_a_list_as_people_write_it() -> None:
    found = read(exported.LINKS)
    assert [(one.url, one.title) for one in found if isinstance(one, ImportLine)] == [
        ("https://example.org/1", ""),
        ("https://example.org/wiki/Two_(2)", "Two, with (brackets)"),
        ("https://example.org/3", "Three"),
        ("https://example.org/四", "四 很好"),
        ("https://example.org/5", "Five"),
        ("https://example.org/6", ""),
    ]
    assert [one.archived for one in found if isinstance(one, ImportLine)] == [False] * 5 + [True]
    script, nothing = (one for one in found if isinstance(one, BadLine))
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
def test_where_a_link_ends(written: str, links: list[str]) -> None:
    assert [one.url for one in good(written)] == links


def test_an_outlines_categories_are_tags_and_its_title_may_be_called_so() -> None:
    outline = '<opml><body><outline title="One" url="https://example.org/1" category="/Work/深度,later"/></body></opml>'
    assert good(outline) == [ImportLine("https://example.org/1", "One", tags=("Work", "深度", "later"))]


def test_a_page_whose_tags_are_in_small_letters_and_without_quotation_marks() -> None:
    page = "<dl><dt><h3>Work</h3><dl><dt><a href=https://example.org/1 add_date=1600000001>One<br>more</a></dl></dl>"
    assert good(page) == [
        ImportLine("https://example.org/1", "One more", tags=("Work",), saved_at="2020-09-13T12:26:41.000Z"),
    ]


def test_what_stands_beside_a_link_is_no_note_of_it() -> None:
    link = "<dt><a href='https://example.org/1'>One</a> beside"
    assert [one.note for one in good(f"<dl>{link} <dd>mine{link}</dl>")] == ["mine", ""]


def test_what_is_commented_out_or_a_script_is_not_read() -> None:
    hidden = "<a href='https://example.org/hidden'>x</a>"
    page = f"<dl><dt><!-- {hidden} --><script>{hidden}</script><a href='https://example.org/1'>a < b</a></dl>"
    assert good(page) == [ImportLine("https://example.org/1", "a < b")]


def test_a_ticked_box_is_archived_however_deep_it_stands() -> None:
    found = good("- [x] [a](https://example.org/1)\n    - [X] https://example.org/2\n  - [ ] https://example.org/3\n")
    assert [(one.archived, one.title) for one in found] == [(True, "a"), (True, ""), (False, "")]


def test_comments_and_rules_in_a_list_are_passed_over() -> None:
    assert [one.url for one in good("# https://example.org/0\n// no\n---\n\n#tag\nhttps://example.org/1\n")] == [
        "https://example.org/1",
    ]


def test_a_line_of_a_list_that_is_too_long_is_told() -> None:
    (told,) = bad("https://example.org/1\n" + "https://example.org/2 " * 2000)
    assert (told.place, "Write one link a line" in told.words) == ("line 2", True)
