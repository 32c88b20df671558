"""What is kept of each product's export, and what is told."""

import json

import exported
import pytest
from exported import as_json, bad, good, read, zipped

from readdo.import_formats import BadLine, ImportLine


def line(number: int, **said: object) -> ImportLine:
    return ImportLine(**{"url": f"https://example.org/{number}", **said})  # type: ignore[arg-type]


def test_pocket_keeps_tags_time_and_what_was_archived() -> None:
    first, second, third = good(exported.POCKET)
    assert first == ImportLine(
        url="https://example.org/leases",
        title="Leases, fences and time",
        tags=("databases", "to read"),
        saved_at="2024-10-10T16:12:32.000Z",
    )
    assert (second.title, second.tags, second.archived) == ("租约与围栏", ("数据库", "中文"), True)
    assert third.title == "", "Pocket wrote the link where it knew no title"


def test_pocket_with_a_cursor_column() -> None:
    (found,) = good(exported.POCKET_WITH_CURSOR)
    assert (found.url, found.tags) == ("https://example.org/with,commas", ("withÄumlaut", "with space"))


def test_pocket_zip_joins_its_parts_with_what_was_marked() -> None:
    found = good(exported.POCKET_ZIP)
    assert [one.url.rpartition("/")[2] for one in found] == [
        *("leases", "租约", "untitled", "with,commas", "chosen", "only-marked"),
    ]
    assert found[0].note == "> A lease is a promise.\n\n> 租约"
    assert found[-1].note == "> Yes."


def test_pocket_zip_that_was_unpacked_and_packed_again_within_a_folder() -> None:
    packed = zipped({"pocket/part_000000.csv": exported.POCKET, "__MACOSX/pocket/part_000000.csv": b"\x00\x05"})
    assert len(good(packed)) == 3


def test_pocket_page_tells_read_from_unread_by_its_headings() -> None:
    first, second = good(exported.POCKET_PAGE)
    assert (first.url, first.title, first.archived) == ("https://example.org/a?b=1&c=2", "A & B", False)
    assert first.tags == ("search", "something else")
    assert (second.url, second.archived, second.tags) == ("https://example.org/读", True, ())


def test_instapaper_page_has_a_heading_for_each_folder() -> None:
    page = (
        "<html><head><title>Instapaper: Export</title></head><body><h1>Archive</h1><ol><li><a href='https://example.org/1'>"
        "One</a></ol><h1>深度</h1><ol><li><a href='https://example.org/2'>二</a></ol></body></html>"
    )
    assert good(page) == [line(1, title="One", archived=True), line(2, title="二", tags=("深度",))]


def test_instapaper_of_four_columns() -> None:
    assert good(exported.INSTAPAPER_4) == [
        line(1, title="One"),
        line(2, title="二", note="选中的一句，\n还有第二行", tags=("归档前的文件夹",)),
    ]


def test_instapaper_of_five_columns() -> None:
    (found,) = good(exported.INSTAPAPER_5)
    assert (found.note, found.saved_at, found.archived) == ("A marked sentence.", "2022-04-15T05:20:00.000Z", True)


def test_instapaper_of_six_columns() -> None:
    first, second, private = read(exported.INSTAPAPER_6)
    assert isinstance(first, ImportLine) and first.tags == ()
    assert isinstance(second, ImportLine) and (second.tags, second.starred) == (("ml", "论文"), True)
    assert isinstance(private, BadLine) and "kept in Instapaper only" in private.words
    assert (private.place, private.number, private.link) == ("line 4", 3, "instapaper://private-content/12345")


def test_readwise_tags_are_as_python_shows_a_list() -> None:
    first, second, mail = read(exported.READWISE)
    assert isinstance(first, ImportLine) and first.tags == ("deep work", "it's", "深度")
    assert (first.archived, first.saved_at) == (True, "2022-11-06T04:33:50.000Z")
    assert isinstance(second, ImportLine) and (second.archived, second.saved_at) == (False, "2024-01-15T02:00:00.000Z")
    assert isinstance(mail, BadLine) and "mail" in mail.words


def test_raindrop_folder_is_a_path_and_the_excerpt_is_the_pages_own() -> None:
    first, second = good(exported.RAINDROP)
    assert first.tags == ("Research", "Go")
    assert first.note == "First line\nSecond line\n\nFirst highlight\nSecond highlight"
    assert (first.title, first.starred, first.saved_at) == ('Saved, "quoted"', True, "2024-01-02T03:04:05.123Z")
    assert (second.tags, second.starred) == ((), False)


def test_omnivore_zip_carries_the_pages_and_what_was_marked() -> None:
    first, mail = good(exported.OMNIVORE_ZIP)
    assert first == ImportLine(
        url="https://example.org/leases",
        title="Leases",
        note="> A lease is a promise.\n\nso it is",
        tags=("databases", "Deep Work"),
        saved_at="2023-05-01T10:00:00.000Z",
        content="<html><body><p>A lease.</p></body></html>",
    )
    assert (mail.url, mail.title, mail.content, mail.archived) == ("", "一封信", "<p>亲爱的</p>", True)


def test_omnivore_list_alone_has_no_text_for_a_newsletter() -> None:
    first, mail = read(as_json(exported.OMNIVORE))
    assert isinstance(first, ImportLine) and first.note == ""
    assert isinstance(mail, BadLine) and (mail.place, mail.link) == ("item 2", "一封信")


def test_karakeep_lists_become_tags_and_texts_their_own_content() -> None:
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


def test_karakeep_before_it_had_lists() -> None:
    old = {"createdAt": 1700000000, "title": "One", "tags": ["a"], "note": None}
    found = good(as_json({"bookmarks": [{**old, "content": {"type": "link", "url": "https://example.org/1"}}]}))
    assert found == [line(1, title="One", tags=("a",), saved_at="2023-11-14T22:13:20.000Z")]


def test_linkwarden_collections_within_collections() -> None:
    first, second, upload = read(as_json(exported.LINKWARDEN))
    at = "2024-01-02T03:04:05.000Z"
    kept = {"tags": ("Work", "a"), "starred": True, "content": "The text of it."}
    assert first == line(1, title="One", note="mine", saved_at=at, **kept)
    assert second == line(2, title="二", tags=("Work", "深"), saved_at=at, starred=True)
    assert isinstance(upload, BadLine) and upload.link == "A PDF"


def test_linkwarden_collections_in_a_circle_end() -> None:
    link = {"name": "One", "url": "https://example.org/1", "tags": []}
    circle = [
        {"id": 1, "name": "a", "parentId": 2, "links": [link]},
        {"id": 2, "name": "b", "parentId": 1, "links": []},
    ]
    (found,) = good(as_json({"collections": circle}))
    assert set(found.tags) == {"a", "b"}


def test_wallabag_carries_the_page_and_what_was_written_to_it() -> None:
    first, second = good(as_json(exported.WALLABAG))
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
    assert second.content == "", "the text in place of a page that Wallabag could not get is none"


def test_wallabag_names_a_link_in_several_ways() -> None:
    item = {"is_archived": 0, "url": None, "title": "One"}
    given = good(as_json([{**item, "given_url": "https://example.org/1", "origin_url": "https://example.org/2"}]))
    assert given == [line(1, title="One")]


def test_wallabag_of_the_first_version() -> None:
    assert good(as_json(exported.WALLABAG_1)) == [
        line(3, title="Old", tags=("a", "b c"), archived=True, content="<p>x</p>"),
    ]


def test_pinboards_description_is_a_title() -> None:
    (found,) = good(as_json(exported.PINBOARD))
    assert found == line(1, title="One", note="mine", tags=("a", "b"), saved_at="2020-01-02T03:04:05.000Z")


@pytest.mark.parametrize("text", [exported.POCKET, exported.INSTAPAPER_5, exported.RAINDROP, exported.OUR_TABLE])
@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_a_tables_line_ends_do_not_matter(text: str, ends: str) -> None:
    wanted = [(one.url, one.title, one.tags, one.note) for one in good(text)]
    assert [(one.url, one.title, one.tags, one.note) for one in good(text.replace("\n", ends))] == wanted


def test_a_row_with_a_comma_too_many_is_told_and_the_next_is_read() -> None:
    told = exported.POCKET + "A, b,https://example.org/x,1,,unread\nC,https://example.org/c,1,,unread\n"
    (found,) = bad(told)
    assert (found.place, found.number) == ("line 5", 4)
    assert "6 cells where the header names 5" in found.words
    assert len(read(told)) == 5


def test_a_quotation_mark_that_is_not_closed_is_told_rather_than_swallowing_the_rest() -> None:
    told = 'title,url,tags\nOne,https://example.org/1,"a\nTwo,https://example.org/2,b\nThree,https://example.org/3,c\n'
    (found,) = read(told)
    assert isinstance(found, BadLine) and (found.place, "not closed" in found.words) == ("line 2", True)


def test_a_cell_of_more_than_a_table_may_hold_is_told_and_the_next_row_is_read() -> None:
    told = f"url,note\nhttps://example.org/1,{'n' * 200_000}\nhttps://example.org/2,short\n"
    first, second = read(told)
    assert isinstance(first, BadLine) and first.place == "line 2"
    assert second == line(2, note="short")


def test_our_own_names_and_those_of_a_spreadsheet() -> None:
    first, second = good(exported.OUR_TABLE)
    assert (first.note, first.tags, first.language, first.archived) == ("why I saved it", ("a", "b"), "en", False)
    assert (second.note, second.tags, second.language, second.archived) == ("为什么要读", ("甲", "乙"), "zh-CN", True)
    assert good(exported.SPREADSHEET) == [line(1, title="一", note="好文")]
    (matter,) = good(exported.MATTER)
    assert (matter.tags, matter.archived, matter.starred) == (("a", "b c"), True, True)


def test_json_of_any_origin() -> None:
    assert [one.url for one in good('["https://example.org/1", "https://example.org/二"]')] == [
        *("https://example.org/1", "https://example.org/二"),
    ]
    items = [{"URL": "https://example.org/1", "Intent": "why", "status": "ARCHIVED", "labels": [{"name": "a"}]}, 7]
    first, second = read(as_json({"items": items}))
    assert first == line(1, note="why", archived=True, tags=("a",))
    assert isinstance(second, BadLine) and second.place == "item 2"
    broken = '{"url": "https://example.org/1"}\n{"url": "https://exa\n\n{"url": "https://example.org/2"}\n'
    assert [getattr(one, "place", "good") for one in read(broken)] == ["good", "line 2", "good"]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r", " \n \n"])
def test_json_of_one_object_a_line(ends: str) -> None:
    long = json.dumps({"url": "https://example.org/1", "Content": "x" * 50_000})
    found = good(ends.join((long, '{"url": "https://example.org/2", "title": "a\u2028b\u0085c"}', "")))
    assert [(one.title, len(one.content)) for one in found] == [("", 50_000), ("a b c", 0)]


def test_a_note_may_have_many_lines_but_not_as_many_as_a_forgotten_mark_makes() -> None:
    table = 'url,note\nhttps://example.org/1,"{}"\nhttps://example.org/2,x\n'
    assert [one.note.count("\n") for one in good(table.format("n\n" * 499 + "n"))] == [499, 0]
    told, found = read(table.format("n\n" * 500 + "n"))
    assert isinstance(told, BadLine) and told.place == "line 2"
    assert found == line(2, note="x")


@pytest.mark.parametrize(
    "table",
    [
        "sep=;\r\nurl;note\r\nhttps://example.org/1;a, b\r\n",
        "url\tnote\nhttps://example.org/1\ta, b\n",
        '\n\n"URL", Note \nhttps://example.org/1,"a, b"\n\n , ,\n',
        "网址；备注\n".replace("；", ";") + "https://example.org/1;a, b\n",
    ],
)
def test_tables_as_spreadsheets_write_them(table: str) -> None:
    assert good(table) == [line(1, note="a, b")]


def test_a_place_counts_the_lines_before_the_header() -> None:
    (told,) = bad("\n\nsep=,\nurl,note\nhttps://example.org/1,x\nfile:///a,x\n")
    assert told.place == "line 6"


def test_a_field_named_text_is_no_page() -> None:
    assert good('[{"url": "https://example.org/1", "text": "One"}]') == [line(1)]
