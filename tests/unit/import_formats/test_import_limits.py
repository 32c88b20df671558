"""Hostile files are refused with a message or read in bounded time."""

import io
import zipfile

import pytest

from readdo.html_tokenizer import tokens
from readdo.transfer.import_formats import LINES_MAX, BadFile, archives, lines
from unit.import_formats import exported
from unit.import_formats.exported import as_json, bad_lines, good_lines, read, zipped

MANY = 30_000  # repetitions: a quadratic algorithm would take many minutes


def test_number_of_lines_is_limited() -> None:
    row = "https://example.org/1\n"
    assert len(good_lines(row * LINES_MAX)) == LINES_MAX
    with pytest.raises(BadFile, match=r"more than 50,000 lines. Split it"):
        read(row * (LINES_MAX + 1))


def test_bad_lines_count_towards_the_limit() -> None:
    with pytest.raises(BadFile, match="more than 50,000 lines"):
        read("https://example.org/1\n" + "x\n" * LINES_MAX)


def test_lines_are_generated_lazily() -> None:
    generated = lines("links.txt", ("https://example.org/1\n" * (LINES_MAX + 1)).encode())
    assert next(generated) == next(generated)


@pytest.mark.parametrize("opens", ["[", '{"bookmarks":[', '[{"url":'])
def test_deeply_nested_json_is_refused(opens: str) -> None:
    with pytest.raises(BadFile, match=r"nested too deeply|not valid JSON"):
        read(opens * MANY)
    with pytest.raises(BadFile, match="nested too deeply"):
        read("[" * MANY + "]" * MANY)


def test_number_with_too_many_digits_is_refused() -> None:
    with pytest.raises(BadFile, match="not valid JSON"):
        read('[{"url": "https://example.org/1", "time": ' + "9" * 10_000 + "}]")


@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", "<a href=", '<a href="', "<a x='y\"", "<!--", "<!", "</", "<dl>", "<h3>", "<dd>", "<a>", "<script>",
     "&", "&#9", '="', "<a =\"'>", "<dt><a href='x'>", "<a a a a ", " ", "<br>", "<a b=c "],
)  # fmt: skip
def test_hostile_page_is_read_in_linear_time(piece: str) -> None:
    page = "<!DOCTYPE NETSCAPE-Bookmark-file-1><dl><dt><a href='https://example.org/1'>One</a>" + piece * MANY
    generated = iter(lines("page.html", page.encode()))
    assert next(generated).url == "https://example.org/1"  # type: ignore[union-attr]
    try:
        assert len(list(generated)) < LINES_MAX
    except BadFile as error:
        assert "more than 50,000" in str(error)


def test_character_reference_with_many_digits_is_kept_as_text() -> None:
    assert [token.text for token in tokens(f"&#{'9' * 10_000};")] == [f"&#{'9' * 10_000};"]


@pytest.mark.parametrize(
    "piece", ["[", "[a](", "(", "https://", "www.", "- ", "[x] ", "a:", "'", '"', "https://a.b/(", ")"]
)
def test_hostile_list_is_read_in_linear_time(piece: str) -> None:
    text = (piece * (19_000 // len(piece)) + "\n") * 100
    assert read("https://example.org/1\n" + text + piece * MANY)[0] == good_lines("https://example.org/1")[0]


@pytest.mark.parametrize("piece", ['"', ",", '","', '"\n', ",\n", "['", "\\'", '"a\n'])
def test_hostile_table_is_read_in_linear_time(piece: str) -> None:
    try:
        assert len(read("url,document tags\nhttps://example.org/1,a\n" + piece * MANY)) < LINES_MAX
    except BadFile as error:
        assert "more than 50,000" in str(error)


def test_tags_of_many_quotation_marks_are_read_in_linear_time() -> None:
    row = "https://example.org/1," + '"[' + "\\'" * 60_000 + ']"\n'
    assert len(good_lines("url,document tags\n" + row * 50)) == 50


def test_deeply_nested_outlines_are_read() -> None:
    deep = "<outline text='a'>" * MANY + "<outline text='x' url='https://example.org/1'/>" + "</outline>" * MANY
    (line,) = good_lines(f"<opml><body>{deep}</body></opml>")
    assert line.tags == ("a",)


def test_number_of_files_in_a_zip_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "ENTRIES_MAX", 2)
    with pytest.raises(BadFile, match="more than 2 files"):
        read(zipped({f"{number}.txt": "https://example.org/1" for number in range(3)}))
    assert len(good_lines(zipped({f"{number}.txt": "https://example.org/1" for number in range(2)}))) == 2


def test_unpacked_size_of_a_zip_is_limited() -> None:
    with pytest.raises(BadFile, match="larger than 200 MB"):
        read(zipped({f"part_{number:06}.csv": bytes(15_000_000) for number in range(14)}))


def test_size_of_a_file_in_a_zip_is_limited() -> None:
    with pytest.raises(BadFile, match=r"part_000000.csv in the zip is larger than 20 MB"):
        read(zipped({"part_000000.csv": bytes(20_000_001)}))


def test_zip_with_a_wrong_size_is_damaged() -> None:
    body = zipped({"part_000000.csv": exported.POCKET + "x" * 5_000_000})
    size = (len(exported.POCKET.encode()) + 5_000_000).to_bytes(4, "little")
    assert body.count(size) == 2
    with pytest.raises(BadFile, match="damaged"):
        read(body.replace(size, (100).to_bytes(4, "little")))


def test_saved_page_is_read_up_to_the_stored_length() -> None:
    body = zipped({"metadata_0_to_1.json": as_json(exported.OMNIVORE[:1]), "content/leases-1.html": "页" * 7_000_000})
    (line,) = good_lines(body)
    assert len(line.content) == 400_000


def test_encrypted_or_unusual_zip_is_refused() -> None:
    body = bytearray(zipped({"part_000000.csv": exported.POCKET}))
    central = body.index(b"PK\x01\x02")
    body[central + 8] |= 1
    with pytest.raises(BadFile, match="encrypted"):
        read(bytes(body))
    rare = io.BytesIO()
    with zipfile.ZipFile(rare, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("part_000000.csv", exported.POCKET)
    with pytest.raises(BadFile, match="unsupported compression"):
        read(rare.getvalue())


@pytest.mark.parametrize(
    "name", ["../../etc/part_000000.csv", "/part_000000.csv", "C:\\part_000000.csv", "a\n/part_000000.csv"]
)
def test_path_in_a_zip_is_only_a_label(name: str) -> None:
    reported = bad_lines(zipped({name: exported.POCKET + "x,y,z,,\n"}))
    assert [one.place.isprintable() for one in reported] == [True]


def test_file_without_a_name_in_a_zip_is_ignored() -> None:
    body = zipped({"QQQ.txt": "https://example.org/1", "folder/": "", "part_000000.csv": exported.POCKET})
    assert len(good_lines(body.replace(b"QQQ.txt", b"\x00QQ.txt"))) == 3


def test_truncated_zip_is_refused() -> None:
    with pytest.raises(BadFile, match="damaged"):
        read(exported.POCKET_ZIP[:-30])
