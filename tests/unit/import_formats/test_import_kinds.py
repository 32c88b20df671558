"""The kind of a file is detected by its content, and unknown content is refused."""

import codecs

import pytest

from readdo.read.requests import Capture
from readdo.transfer.import_formats import BadFile, BadLine, ImportLine, kind_of
from readdo.transfer.import_formats.format_registry import KINDS, NAMED
from readdo.transfer.import_formats.source_file import SourceFile, kind_in
from readdo.transfer.import_formats.unknown_products import BROKEN_JSON
from unit.import_formats import exported
from unit.import_formats.exported import SAMPLES, Sample, good_lines, read, zipped

every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")


@every_sample
def test_kind_is_detected_without_the_file_name(sample: Sample) -> None:
    assert kind_of(sample.name, sample.body) == sample.kind
    assert kind_of("download.bin", sample.body) == sample.kind


@every_sample
def test_file_matches_at_most_one_named_kind(sample: Sample) -> None:
    named = [kind.name for kind in NAMED if kind.recognises(SourceFile(sample.name, sample.body))]
    assert len(named) <= 1


def test_every_kind_has_a_sample() -> None:
    """The only exception is the kind that reports malformed JSON instead of reading it."""
    sampled = {kind_in(KINDS, SourceFile(sample.name, sample.body)) for sample in SAMPLES}
    assert [kind for kind in KINDS if kind not in sampled] == [BROKEN_JSON]


@every_sample
def test_every_line_is_a_valid_capture(sample: Sample) -> None:
    for line in read(sample.body):
        if isinstance(line, ImportLine):
            capture = Capture(
                intent_text="why", url=line.url, title=line.title, content=line.content, language=line.language
            )
            assert (capture.url, capture.title, capture.content) == (line.url, line.title, line.content)


@every_sample
def test_bad_lines_have_a_number_a_place_and_advice(sample: Sample) -> None:
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
        (b"", "utf-32-le"),
        (b"", "utf-32-be"),
    ],
)
def test_file_is_read_in_every_unicode_encoding(sample: Sample, mark: bytes, encoding: str) -> None:
    assert read(mark + sample.body.decode().encode(encoding)) == read(sample.body)


@pytest.mark.parametrize("text", [exported.POCKET, exported.OUR_TABLE, exported.NETSCAPE_SAFARI, exported.LINKS])
def test_gb18030_text_is_read(text: str) -> None:
    written = text.replace('"', "'") if text is exported.LINKS else text
    assert read(written.replace("UTF-8", "gb2312").encode("gb18030")) == read(written)


@pytest.mark.parametrize(
    ("encoding", "title", "tag"),
    [
        ("big5", "租約與圍欄：寫給分散式系統的初學者", "資料庫"),
        ("shift_jis", "リースとフェンスについての記事", "データベース"),
        ("euc_jp", "リースとフェンスについての記事", "データベース"),
        ("iso2022_jp", "リースとフェンスについての記事", "データベース"),
        ("euc_kr", "분산 시스템의 임대와 울타리에 대하여", "데이터베이스"),
        ("cp1251", "Аренда и ограждения в распределённых системах", "базы"),
    ],
)
def test_text_in_a_national_encoding_is_read(encoding: str, title: str, tag: str) -> None:
    table = f"title,url,time_added,tags,status\n{title},https://example.org/1,1728576752,{tag},unread\n"
    page = f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF='https://example.org/1' TAGS='{tag}'>{title}</A></DL>"
    for text in (table, page):
        (line,) = good_lines(text.encode(encoding))
        assert (line.title, line.tags) == (title, (tag,))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_latin_1_text_is_read(encoding: str) -> None:
    text = (
        "title,url,time_added,tags,status\nDéjà vu à Genève: été,https://example.org/1,1728576752,Österreich,unread\n"
    )
    (line,) = good_lines(text.encode(encoding))
    assert (line.title, line.tags) == ("Déjà vu à Genève: été", ("Österreich",))


def test_declared_encoding_is_used_for_non_unicode_text() -> None:
    page = exported.NETSCAPE_SAFARI.replace("UTF-8", "Shift_JIS").replace("One", "日本語の記事")
    assert good_lines(page.replace("书签", "").replace("个人收藏", "A").encode("shift_jis"))[0].title == "日本語の記事"


@pytest.mark.parametrize("declared", ["x-unknown", "base64", "UTF-8", "undefined", "rot13"])
def test_unknown_declared_encoding_is_ignored(declared: str) -> None:
    page = exported.NETSCAPE_SAFARI.replace("UTF-8", declared).replace("One", "租约与围栏")
    assert good_lines(page.encode("gb18030"))[0].title == "租约与围栏"


def test_few_damaged_bytes_do_not_change_the_detected_encoding() -> None:
    body = exported.POCKET.encode().replace("围栏".encode(), "围栏".encode() * 300 + b"\xff")
    assert good_lines(body)[1].title.startswith("租约与围栏围栏")


def test_nul_characters_are_removed() -> None:
    assert good_lines(exported.POCKET.replace("Leases", "Le\x00ases")) == good_lines(exported.POCKET)


@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"\xef\xbb\xbf", "unknown_kind"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "unknown_kind"),
        (b"%PDF-1.7", "unknown_kind"),
        (b"just words, and no link", "unknown_kind"),
        ("只有文字".encode(), "unknown_kind"),
        (b"<html><body><a href='https://example.org'>A page, no list</a></body></html>", "unknown_kind"),
        (b"<dl><dd><a href='https://example.org'>A page with a list of another sort</a></dl>", "unknown_kind"),
        (b"name,age\nx,1\n", "unknown_kind"),
        (b"[1, 2]", "unknown_kind"),
        (b"{}", "unknown_kind"),
        (b'[{"url": "https://example.org/1"}, {"url": "https://exa', "broken_json"),
        (b'{"bookmarks": [', "broken_json"),
        (b"url\n", "nothing_in_it"),
        (exported.POCKET.partition("\n")[0].encode(), "nothing_in_it"),
        (b"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL></DL>", "nothing_in_it"),
        (zipped({}), "unknown_kind"),
        (zipped({"photo.jpg": b"\xff\xd8\xff"}), "unknown_kind"),
        (zipped({"xl/workbook.xml": "<x xmlns='http://example.org'/>"}), "unknown_kind"),
    ],
)
def test_file_that_cannot_be_imported_is_refused_with_a_reason(body: bytes, key: str) -> None:
    with pytest.raises(BadFile) as raised:
        read(body, "my file")
    assert raised.value.args[0].key == f"import_file.{key}"
    assert str(raised.value).startswith("my file") and str(raised.value).endswith(".")


def test_unreadable_file_in_a_zip_is_reported() -> None:
    archive = zipped({"a.txt": "no link", "b.txt": "https://example.org/1", ".hidden.txt": "https://example.org/2"})
    bad_line, good_line = read(archive)
    assert isinstance(bad_line, BadLine) and bad_line.place == "a.txt"
    assert good_line == ImportLine("https://example.org/1")
