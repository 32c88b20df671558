"""Which kind a file is, by what is in it; and that nothing else is taken for one."""

import codecs

import exported
import pytest
from exported import SAMPLES, Sample, good, read, zipped

from readdo.import_formats import BadFile, BadLine, ImportLine, kind_of
from readdo.import_formats.file import SourceFile
from readdo.import_formats.kind import kind_in
from readdo.import_formats.kinds import KINDS, NAMED
from readdo.web.requests import Capture

every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")


@every_sample
def test_a_file_is_known_whatever_its_name(sample: Sample) -> None:
    assert kind_of(sample.name, sample.body) == sample.kind
    assert kind_of("download.bin", sample.body) == sample.kind


@every_sample
def test_no_file_is_of_two_named_kinds_so_that_their_order_means_nothing(sample: Sample) -> None:
    named = [kind.name for kind in NAMED if kind.recognises(SourceFile(sample.name, sample.body))]
    assert len(named) <= 1


def test_every_kind_has_a_sample() -> None:
    """But the one that says what is wrong with a file, in place of reading it."""
    seen = {kind_in(KINDS, SourceFile(sample.name, sample.body)) for sample in SAMPLES}
    assert [kind.shown for kind in KINDS if kind not in seen] == ["JSON that is not whole"]


@every_sample
def test_every_line_is_one_that_a_capture_takes(sample: Sample) -> None:
    for line in read(sample.body):
        if isinstance(line, ImportLine):
            taken = Capture(
                intent_text="why", url=line.url, title=line.title, content=line.content, language=line.language
            )
            assert (taken.url, taken.title, taken.content) == (line.url, line.title, line.content)


@every_sample
def test_bad_lines_are_numbered_and_say_what_to_do(sample: Sample) -> None:
    for number, line in enumerate(read(sample.body), start=1):
        if isinstance(line, BadLine):
            assert line.number == number
            assert line.place
            assert line.words.endswith(".")


ENCODED = [sample for sample in SAMPLES if not sample.body.startswith(b"PK")]
in_every_text = pytest.mark.parametrize("sample", ENCODED, ids=lambda sample: f"{sample.kind}-{sample.name}")


@in_every_text
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
    ],
)
def test_a_file_is_read_in_every_encoding_of_unicode(sample: Sample, mark: bytes, encoding: str) -> None:
    assert read(mark + sample.body.decode().encode(encoding)) == read(sample.body)


@pytest.mark.parametrize("text", [exported.POCKET, exported.OUR_TABLE, exported.NETSCAPE_SAFARI, exported.LINKS])
def test_chinese_of_old_windows_is_read(text: str) -> None:
    written = text.replace('"', "'") if text is exported.LINKS else text
    assert read(written.replace("UTF-8", "gb2312").encode("gb18030")) == read(written)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_western_text_of_old_is_read(encoding: str) -> None:
    text = (
        "title,url,time_added,tags,status\nDéjà vu à Genève: été,https://example.org/1,1728576752,Österreich,unread\n"
    )
    (found,) = good(text.encode(encoding))
    assert (found.title, found.tags) == ("Déjà vu à Genève: été", ("Österreich",))


def test_a_declared_encoding_is_believed_if_it_is_not_unicode() -> None:
    page = exported.NETSCAPE_SAFARI.replace("UTF-8", "Shift_JIS").replace("One", "日本語の記事")
    assert good(page.replace("书签", "").replace("个人收藏", "A").encode("shift_jis"))[0].title == "日本語の記事"


@pytest.mark.parametrize("declared", ["x-unknown", "base64", "UTF-8", "undefined", "rot13"])
def test_a_declared_encoding_that_is_none_is_not_believed(declared: str) -> None:
    page = exported.NETSCAPE_SAFARI.replace("UTF-8", declared).replace("One", "租约与围栏")
    assert good(page.encode("gb18030"))[0].title == "租约与围栏"


def test_a_few_damaged_bytes_do_not_make_unicode_something_else() -> None:
    body = exported.POCKET.encode().replace("围栏".encode(), "围栏".encode() * 300 + b"\xff")
    assert good(body)[1].title.startswith("租约与围栏围栏")


def test_zeros_within_a_text_are_nothing() -> None:
    assert good(exported.POCKET.replace("Leases", "Le\x00ases")) == good(exported.POCKET)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "is empty"),
        (b" \r\n\t", "is empty"),
        (b"\xef\xbb\xbf", "cannot be imported"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "cannot be imported"),
        (b"%PDF-1.7", "cannot be imported"),
        (b"just words, and no link", "cannot be imported"),
        ("只有文字".encode(), "cannot be imported"),
        (b"<html><body><a href='https://example.org'>A page, no list</a></body></html>", "cannot be imported"),
        (b"<dl><dd><a href='https://example.org'>A page with a list of another sort</a></dl>", "cannot be imported"),
        (b"name,age\nx,1\n", "cannot be imported"),
        (b"[1, 2]", "cannot be imported"),
        (b"{}", "cannot be imported"),
        (b'[{"url": "https://example.org/1"}, {"url": "https://exa', "not whole"),
        (b'{"bookmarks": [', "not whole"),
        (b"url\n", "nothing in it to import"),
        (exported.POCKET.partition("\n")[0].encode(), "nothing in it to import"),
        (b"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL></DL>", "nothing in it to import"),
        (zipped({}), "cannot be imported"),
        (zipped({"photo.jpg": b"\xff\xd8\xff"}), "cannot be imported"),
        (zipped({"xl/workbook.xml": "<x xmlns='http://example.org'/>"}), "cannot be imported"),
    ],
)
def test_what_cannot_be_imported_is_said_of_the_file_as_a_whole(body: bytes, words: str) -> None:
    with pytest.raises(BadFile, match=words) as told:
        read(body, "my file")
    assert str(told.value).startswith("my file") and str(told.value).endswith(".")


def test_a_file_within_a_zip_that_is_no_list_is_told() -> None:
    packed = zipped({"a.txt": "no link", "b.txt": "https://example.org/1", ".hidden.txt": "https://example.org/2"})
    told, found = read(packed)
    assert isinstance(told, BadLine) and told.place == "a.txt"
    assert found == ImportLine("https://example.org/1")
