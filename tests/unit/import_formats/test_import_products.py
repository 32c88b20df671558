"""The imported fields and the reported lines of each product's export."""

import json

import pytest

from readdo.transfer.import_formats import BadLine, ImportLine
from unit.import_formats import exported
from unit.import_formats.exported import as_json, bad_lines, good_lines, read, zipped


def line(number: int, **fields: object) -> ImportLine:
    return ImportLine(**{"url": f"https://example.org/{number}", **fields})  # type: ignore[arg-type]


def test_pocket_gives_tags_time_and_archived() -> None:
    first, second, third = good_lines(exported.POCKET)
    assert first == ImportLine(
        url="https://example.org/leases",
        title="Leases, fences and time",
        tags=("databases", "to read"),
        saved_at="2024-10-10T16:12:32.000Z",
    )
    assert (second.title, second.tags, second.archived) == ("租约与围栏", ("数据库", "中文"), True)
    assert third.title == "", "Pocket exports the link in place of a missing title"


def test_pocket_with_a_cursor_column_is_read() -> None:
    (imported,) = good_lines(exported.POCKET_WITH_CURSOR)
    assert (imported.url, imported.tags) == ("https://example.org/with,commas", ("withÄumlaut", "with space"))


def test_pocket_zip_joins_parts_and_highlights() -> None:
    imported = good_lines(exported.POCKET_ZIP)
    assert [one.url.rpartition("/")[2] for one in imported] == [
        *("leases", "租约", "untitled", "with,commas", "chosen", "only-marked"),
    ]
    assert imported[0].note == "> A lease is a promise.\n\n> 租约"
    assert imported[-1].note == "> Yes."


def test_repacked_pocket_zip_with_a_folder_is_read() -> None:
    archive = zipped({"pocket/part_000000.csv": exported.POCKET, "__MACOSX/pocket/part_000000.csv": b"\x00\x05"})
    assert len(good_lines(archive)) == 3


def test_pocket_page_headings_set_archived() -> None:
    first, second = good_lines(exported.POCKET_PAGE)
    assert (first.url, first.title, first.archived) == ("https://example.org/a?b=1&c=2", "A & B", False)
    assert first.tags == ("search", "something else")
    assert (second.url, second.archived, second.tags) == ("https://example.org/读", True, ())


def test_instapaper_page_headings_become_tags() -> None:
    page = (
        "<html><head><title>Instapaper: Export</title></head><body><h1>Archive</h1><ol><li><a href='https://example.org/1'>"
        "One</a></ol><h1>深度</h1><ol><li><a href='https://example.org/2'>二</a></ol></body></html>"
    )
    assert good_lines(page) == [line(1, title="One", archived=True), line(2, title="二", tags=("深度",))]


def test_instapaper_with_four_columns_is_read() -> None:
    assert good_lines(exported.INSTAPAPER_4) == [
        line(1, title="One"),
        line(2, title="二", note="选中的一句，\n还有第二行", tags=("归档前的文件夹",)),
    ]


def test_instapaper_with_five_columns_is_read() -> None:
    (imported,) = good_lines(exported.INSTAPAPER_5)
    assert (imported.note, imported.saved_at, imported.archived) == (
        "A marked sentence.",
        "2022-04-15T05:20:00.000Z",
        True,
    )


def test_instapaper_with_six_columns_is_read() -> None:
    first, second, private = read(exported.INSTAPAPER_6)
    assert isinstance(first, ImportLine) and first.tags == ()
    assert isinstance(second, ImportLine) and (second.tags, second.starred) == (("ml", "论文"), True)
    assert isinstance(private, BadLine) and "stored only in Instapaper" in private.words
    assert (private.place, private.number, private.link) == ("line 4", 3, "instapaper://private-content/12345")


def test_readwise_tags_in_python_list_notation_are_read() -> None:
    first, second, mail = read(exported.READWISE)
    assert isinstance(first, ImportLine) and first.tags == ("deep work", "it's", "深度")
    assert (first.archived, first.saved_at) == (True, "2022-11-06T04:33:50.000Z")
    assert isinstance(second, ImportLine) and (second.archived, second.saved_at) == (False, "2024-01-15T02:00:00.000Z")
    assert isinstance(mail, BadLine) and "mail" in mail.words


def test_raindrop_folder_becomes_tags_and_excerpt_is_dropped() -> None:
    first, second = good_lines(exported.RAINDROP)
    assert first.tags == ("Research", "Go")
    assert first.note == "First line\nSecond line\n\nFirst highlight\nSecond highlight"
    assert (first.title, first.starred, first.saved_at) == ('Saved, "quoted"', True, "2024-01-02T03:04:05.123Z")
    assert (second.tags, second.starred) == ((), False)


def test_omnivore_zip_gives_pages_and_highlights() -> None:
    first, mail = good_lines(exported.OMNIVORE_ZIP)
    assert first == ImportLine(
        url="https://example.org/leases",
        title="Leases",
        note="> A lease is a promise.\n\nso it is",
        tags=("databases", "Deep Work"),
        saved_at="2023-05-01T10:00:00.000Z",
        content="<html><body><p>A lease.</p></body></html>",
    )
    assert (mail.url, mail.title, mail.content, mail.archived) == ("", "一封信", "<p>亲爱的</p>", True)


def test_omnivore_newsletter_without_its_page_is_reported() -> None:
    first, mail = read(as_json(exported.OMNIVORE))
    assert isinstance(first, ImportLine) and first.note == ""
    assert isinstance(mail, BadLine) and (mail.place, mail.link) == ("item 2", "一封信")


def test_karakeep_lists_become_tags_and_texts_become_content() -> None:
    link, text, picture = read(as_json(exported.KARAKEEP))
    assert link == line(
        1,
        title="One",
        note="我的话",
        tags=("Work", "阅读", "a", "b"),
        saved_at="2023-11-14T22:13:20.000Z",
        archived=True,
    )
    assert text == ImportLine(content="A note", saved_at="2023-11-14T22:13:21.000Z")
    assert isinstance(picture, BadLine) and "picture or a file" in picture.words and picture.link == "A picture"


def test_karakeep_without_lists_is_read() -> None:
    old = {"createdAt": 1700000000, "title": "One", "tags": ["a"], "note": None}
    imported = good_lines(
        as_json({"bookmarks": [{**old, "content": {"type": "link", "url": "https://example.org/1"}}]})
    )
    assert imported == [line(1, title="One", tags=("a",), saved_at="2023-11-14T22:13:20.000Z")]


def test_nested_linkwarden_collections_become_tags() -> None:
    first, second, upload = read(as_json(exported.LINKWARDEN))
    at = "2024-01-02T03:04:05.000Z"
    expected_fields = {"tags": ("Work", "a"), "starred": True, "content": "The text of it."}
    assert first == line(1, title="One", note="mine", saved_at=at, **expected_fields)
    assert second == line(2, title="二", tags=("Work", "深"), saved_at=at, starred=True)
    assert isinstance(upload, BadLine) and upload.link == "A PDF"


def test_cyclic_linkwarden_collections_are_read() -> None:
    link = {"name": "One", "url": "https://example.org/1", "tags": []}
    circle = [
        {"id": 1, "name": "a", "parentId": 2, "links": [link]},
        {"id": 2, "name": "b", "parentId": 1, "links": []},
    ]
    (imported,) = good_lines(as_json({"collections": circle}))
    assert set(imported.tags) == {"a", "b"}


def test_wallabag_gives_page_and_annotations() -> None:
    first, second = good_lines(as_json(exported.WALLABAG))
    assert first == line(
        1,
        title="One",
        note="> first\n> second\n\nso true",
        tags=("a", "b"),
        saved_at="2017-05-31T16:59:42.000Z",
        archived=True,
        content="<p>The text</p>",
        language="de-DE",
    )
    assert (second.starred, second.tags, second.language) == (True, ("标签",), "")
    assert second.content == "", "Wallabag's error text is not content"


def test_wallabag_link_falls_back_to_given_url() -> None:
    item = {"is_archived": 0, "url": None, "title": "One"}
    imported = good_lines(
        as_json([{**item, "given_url": "https://example.org/1", "origin_url": "https://example.org/2"}])
    )
    assert imported == [line(1, title="One")]


def test_wallabag_version_1_is_read() -> None:
    assert good_lines(as_json(exported.WALLABAG_1)) == [
        line(3, title="Old", tags=("a", "b c"), archived=True, content="<p>x</p>"),
    ]


def test_pinboard_description_becomes_the_title() -> None:
    (imported,) = good_lines(as_json(exported.PINBOARD))
    assert imported == line(1, title="One", note="mine", tags=("a", "b"), saved_at="2020-01-02T03:04:05.000Z")


@pytest.mark.parametrize("text", [exported.POCKET, exported.INSTAPAPER_5, exported.RAINDROP, exported.OUR_TABLE])
@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_endings_of_a_table_do_not_matter(text: str, ends: str) -> None:
    expected = [(one.url, one.title, one.tags, one.note) for one in good_lines(text)]
    assert [(one.url, one.title, one.tags, one.note) for one in good_lines(text.replace("\n", ends))] == expected


def test_row_with_an_additional_comma_is_reported_and_the_next_is_read() -> None:
    table = exported.POCKET + "A, b,https://example.org/x,1,,unread\nC,https://example.org/c,1,,unread\n"
    (bad_line,) = bad_lines(table)
    assert (bad_line.place, bad_line.number) == ("line 5", 4)
    assert "6 cells, and the header has 5" in bad_line.words
    assert len(read(table)) == 5


def test_unclosed_quotation_mark_is_reported() -> None:
    table = 'title,url,tags\nOne,https://example.org/1,"a\nTwo,https://example.org/2,b\nThree,https://example.org/3,c\n'
    (bad_line,) = read(table)
    assert isinstance(bad_line, BadLine) and (bad_line.place, "not closed" in bad_line.words) == ("line 2", True)


def test_cell_that_is_too_large_is_reported_and_the_next_row_is_read() -> None:
    table = f"url,note\nhttps://example.org/1,{'n' * 200_000}\nhttps://example.org/2,short\n"
    first, second = read(table)
    assert isinstance(first, BadLine) and first.place == "line 2"
    assert second == line(2, note="short")


def test_own_and_translated_column_names_are_read() -> None:
    first, second = good_lines(exported.OUR_TABLE)
    assert (first.note, first.tags, first.language, first.archived) == ("why I saved it", ("a", "b"), "en", False)
    assert (second.note, second.tags, second.language, second.archived) == ("为什么要读", ("甲", "乙"), "zh-CN", True)
    assert good_lines(exported.SPREADSHEET) == [line(1, title="一", note="好文")]
    (matter,) = good_lines(exported.MATTER)
    assert (matter.tags, matter.archived, matter.starred) == (("a", "b c"), True, True)


def test_generic_json_is_read() -> None:
    assert [one.url for one in good_lines('["https://example.org/1", "https://example.org/二"]')] == [
        *("https://example.org/1", "https://example.org/二"),
    ]
    items = [{"URL": "https://example.org/1", "Intent": "why", "status": "ARCHIVED", "labels": [{"name": "a"}]}, 7]
    first, second = read(as_json({"items": items}))
    assert first == line(1, note="why", archived=True, tags=("a",))
    assert isinstance(second, BadLine) and second.place == "item 2"
    broken = '{"url": "https://example.org/1"}\n{"url": "https://exa\n\n{"url": "https://example.org/2"}\n'
    assert [getattr(one, "place", "good") for one in read(broken)] == ["good", "line 2", "good"]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r", " \n \n"])
def test_json_lines_are_read(ends: str) -> None:
    long = json.dumps({"url": "https://example.org/1", "Content": "x" * 50_000})
    imported = good_lines(ends.join((long, '{"url": "https://example.org/2", "title": "a\u2028b\u0085c"}', "")))
    assert [(one.title, len(one.content)) for one in imported] == [("", 50_000), ("a b c", 0)]


def test_number_of_lines_in_a_note_is_limited() -> None:
    table = 'url,note\nhttps://example.org/1,"{}"\nhttps://example.org/2,x\n'
    assert [one.note.count("\n") for one in good_lines(table.format("n\n" * 499 + "n"))] == [499, 0]
    bad_line, good_line = read(table.format("n\n" * 500 + "n"))
    assert isinstance(bad_line, BadLine) and bad_line.place == "line 2"
    assert good_line == line(2, note="x")


@pytest.mark.parametrize(
    "table",
    [
        "sep=;\r\nurl;note\r\nhttps://example.org/1;a, b\r\n",
        "url\tnote\nhttps://example.org/1\ta, b\n",
        '\n\n"URL", Note \nhttps://example.org/1,"a, b"\n\n , ,\n',
        "网址；备注\n".replace("；", ";") + "https://example.org/1;a, b\n",
    ],
)
def test_tables_of_spreadsheet_programs_are_read(table: str) -> None:
    assert good_lines(table) == [line(1, note="a, b")]


def test_place_counts_the_lines_before_the_header() -> None:
    (bad_line,) = bad_lines("\n\nsep=,\nurl,note\nhttps://example.org/1,x\nfile:///a,x\n")
    assert bad_line.place == "line 6"


def test_text_field_is_not_content() -> None:
    assert good_lines('[{"url": "https://example.org/1", "text": "One"}]') == [line(1)]
