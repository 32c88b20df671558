"""Files made to hurt: they are refused in words, or read like any other."""

import io
import zipfile

import exported
import pytest
from exported import as_json, bad, good, read, zipped

from readdo.import_formats import LINES_MAX, BadFile, archives, lines
from readdo.import_formats.tokens import tokens

MANY = 100_000  # of something that would be looked at as often as there are of it, it would take hours


def test_as_many_lines_as_are_allowed_and_one_more() -> None:
    row = "https://example.org/1\n"
    assert len(good(row * LINES_MAX)) == LINES_MAX
    with pytest.raises(BadFile, match=r"more than 50,000 lines. Split it"):
        read(row * (LINES_MAX + 1))


def test_bad_lines_count_as_well() -> None:
    with pytest.raises(BadFile, match="more than 50,000 lines"):
        read("https://example.org/1\n" + "x\n" * LINES_MAX)


def test_lines_are_made_one_at_a_time() -> None:
    found = lines("links.txt", ("https://example.org/1\n" * (LINES_MAX + 1)).encode())
    assert next(found) == next(found)


@pytest.mark.parametrize("opens", ["[", '{"bookmarks":[', '[{"url":'])
def test_json_that_is_too_deep(opens: str) -> None:
    with pytest.raises(BadFile, match=r"deeper than|not whole"):
        read(opens * MANY)
    with pytest.raises(BadFile, match="deeper than"):
        read("[" * MANY + "]" * MANY)


def test_a_number_of_more_digits_than_python_converts() -> None:
    with pytest.raises(BadFile, match="not whole"):
        read('[{"url": "https://example.org/1", "time": ' + "9" * 10_000 + "}]")


@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", "<a href=", '<a href="', "<a x='y\"", "<!--", "<!", "</", "<dl>", "<h3>", "<dd>", "<a>", "<script>",
     "&", "&#9", '="', "<a =\"'>", "<dt><a href='x'>", "<a a a a ", " ", "<br>", "<a b=c "],
)  # fmt: skip
def test_a_hostile_page_is_looked_at_once(piece: str) -> None:
    page = "<!DOCTYPE NETSCAPE-Bookmark-file-1><dl><dt><a href='https://example.org/1'>One</a>" + piece * MANY
    found = iter(lines("page.html", page.encode()))
    assert next(found).url == "https://example.org/1"  # type: ignore[union-attr]
    try:
        assert len(list(found)) < LINES_MAX
    except BadFile as error:
        assert "more than 50,000" in str(error)


def test_a_character_by_a_number_of_many_digits_is_left_as_it_is() -> None:
    assert [token.text for token in tokens(f"&#{'9' * 10_000};")] == [f"&#{'9' * 10_000};"]


@pytest.mark.parametrize(
    "piece", ["[", "[a](", "(", "https://", "www.", "- ", "[x] ", "a:", "'", '"', "https://a.b/(", ")"]
)
def test_a_hostile_list_is_looked_at_once(piece: str) -> None:
    lines_of_it = (piece * (19_000 // len(piece)) + "\n") * 100
    assert read("https://example.org/1\n" + lines_of_it + piece * MANY)[0] == good("https://example.org/1")[0]


@pytest.mark.parametrize("piece", ['"', ",", '","', '"\n', ",\n", "['", "\\'", '"a\n'])
def test_a_hostile_table_is_looked_at_once(piece: str) -> None:
    try:
        assert len(read("url,document tags\nhttps://example.org/1,a\n" + piece * MANY)) < LINES_MAX
    except BadFile as error:
        assert "more than 50,000" in str(error)


def test_tags_made_of_quotation_marks() -> None:
    row = "https://example.org/1," + '"[' + "\\'" * 60_000 + ']"\n'
    assert len(good("url,document tags\n" + row * 50)) == 50


def test_outlines_within_outlines() -> None:
    deep = "<outline text='a'>" * MANY + "<outline text='x' url='https://example.org/1'/>" + "</outline>" * MANY
    (found,) = good(f"<opml><body>{deep}</body></opml>")
    assert found.tags == ("a",)


def test_a_zip_of_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "ENTRIES_MAX", 2)
    with pytest.raises(BadFile, match="more than 2 files"):
        read(zipped({f"{number}.txt": "https://example.org/1" for number in range(3)}))
    assert len(good(zipped({f"{number}.txt": "https://example.org/1" for number in range(2)}))) == 2


def test_a_zip_that_is_too_large_unpacked() -> None:
    with pytest.raises(BadFile, match="larger than 200 MB"):
        read(zipped({f"part_{number:06}.csv": bytes(15_000_000) for number in range(14)}))


def test_a_file_in_a_zip_that_is_too_large() -> None:
    with pytest.raises(BadFile, match=r"part_000000.csv is larger than 20 MB"):
        read(zipped({"part_000000.csv": bytes(20_000_001)}))


def test_a_zip_that_lies_about_a_size_gives_no_more_than_it_said() -> None:
    body = zipped({"part_000000.csv": exported.POCKET + "x" * 5_000_000})
    size = (len(exported.POCKET.encode()) + 5_000_000).to_bytes(4, "little")
    assert body.count(size) == 2
    with pytest.raises(BadFile, match="damaged"):
        read(body.replace(size, (100).to_bytes(4, "little")))


def test_a_saved_page_is_read_only_as_far_as_it_is_kept() -> None:
    body = zipped({"metadata_0_to_1.json": as_json(exported.OMNIVORE[:1]), "content/leases-1.html": "页" * 7_000_000})
    (found,) = good(body)
    assert len(found.content) == 400_000


def test_a_zip_that_is_encrypted_or_rarely_packed_says_so() -> None:
    body = bytearray(zipped({"part_000000.csv": exported.POCKET}))
    central = body.index(b"PK\x01\x02")
    body[central + 8] |= 1
    with pytest.raises(BadFile, match="encrypted"):
        read(bytes(body))
    rare = io.BytesIO()
    with zipfile.ZipFile(rare, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("part_000000.csv", exported.POCKET)
    with pytest.raises(BadFile, match="packed in a rare way"):
        read(rare.getvalue())


@pytest.mark.parametrize(
    "name", ["../../etc/part_000000.csv", "/part_000000.csv", "C:\\part_000000.csv", "a\n/part_000000.csv"]
)
def test_a_name_in_a_zip_is_only_a_name(name: str) -> None:
    told = bad(zipped({name: exported.POCKET + "x,y,z,,\n"}))
    assert [one.place.isprintable() for one in told] == [True]


def test_a_file_without_a_name_in_a_zip_is_none() -> None:
    body = zipped({"QQQ.txt": "https://example.org/1", "folder/": "", "part_000000.csv": exported.POCKET})
    assert len(good(body.replace(b"QQQ.txt", b"\x00QQ.txt"))) == 3


def test_a_zip_that_is_cut_says_so() -> None:
    with pytest.raises(BadFile, match="damaged"):
        read(exported.POCKET_ZIP[:-30])
