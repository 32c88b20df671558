"""Any bytes give lines, reported bad lines, or an error for the complete file."""

import json

import pytest
from hypothesis import given, settings, strategies

from readdo import clock
from readdo.read.requests import Capture
from readdo.transfer.import_formats import BadFile, BadLine, ImportLine, lines
from unit.import_formats.exported import SAMPLES, Sample

READ_MAX = 200
_PIECES = (
    *(
        b"https://example.org/1",
        b"url,title\n",
        b"<dl><dt>",
        b"<a href=",
        b'"',
        b"'",
        b"<",
        b">",
        b"&#",
        b"{",
        b"[",
        b"]",
    ),
    *(
        b"\x00",
        b"\xff\xfe",
        b"\r",
        b"\n",
        b",",
        b"|",
        b"\\",
        b"\xed\xa0\x80",
        b"PK\x03\x04",
        b"\\ud800",
        b"NaN",
        b"1e999",
    ),
    *("，中文".encode(), "中文".encode("gb18030"), b"-1", b"null", b"99999999999999999999", b"<!--", b"]]>", b"#"),
)


def read_and_check(name: str, body: bytes) -> None:
    try:
        for line, _ in zip(lines(name, body), range(READ_MAX), strict=False):
            check_line(line)
    except BadFile as error:
        assert str(error).endswith(".")


def check_line(line: ImportLine | BadLine) -> None:
    if isinstance(line, BadLine):
        assert line.place and line.words and line.number > 0
        assert all(part.encode() is not None and len(part) <= 1000 for part in (line.place, line.words, line.link))
        return
    Capture(intent_text="why", url=line.url, title=line.title, content=line.content, language=line.language)
    assert len(line.note) <= 10_000 and len(line.tags) <= 50 and all(0 < len(tag) <= 80 for tag in line.tags)
    assert len({tag.casefold() for tag in line.tags}) == len(line.tags)
    assert "\n".join((line.note, *line.tags)).encode() is not None
    assert not line.saved_at or clock.stamp(clock.parse(line.saved_at)) == line.saved_at


@settings(max_examples=400, derandomize=True, deadline=None)
@given(strategies.binary(max_size=400) | strategies.lists(strategies.sampled_from(_PIECES), max_size=60).map(b"".join))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    read_and_check("file", body)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(strategies.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_and_check("file", text.encode("utf-8", "surrogatepass"))
    read_and_check("file", b"url,tags\n" + text.encode("utf-8", "surrogatepass"))


json_values = strategies.recursive(
    strategies.none() | strategies.booleans() | strategies.integers() | strategies.floats()
    | strategies.text(max_size=20),
    lambda inner: strategies.lists(inner, max_size=4)
    | strategies.dictionaries(
        strategies.sampled_from(
            ("url", "href", "title", "tags", "content", "bookmarks", "collections", "links", "items", "roots",
             "children", "slug", "savedAt", "createdAt", "lists", "is_archived", "annotations", "_embedded", "type",
             "uri", "parentId", "id", "name", "note", "extended", "description", "time", "labels", "state", "text")
        ), inner, max_size=6),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=400, derandomize=True, deadline=None)
@given(json_values)
def test_json_with_known_names_and_any_values_is_read_or_refused(value: object) -> None:
    read_and_check("file.json", json.dumps(value).encode())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")
@settings(max_examples=40, derandomize=True, deadline=None)
@given(data=strategies.data())
def test_damaged_sample_is_read_or_refused(sample: Sample, data: strategies.DataObject) -> None:
    body = bytearray(sample.body)
    for _ in range(data.draw(strategies.integers(0, 4))):
        position = data.draw(strategies.integers(0, len(body)))
        body[position : position + data.draw(strategies.integers(0, 6))] = data.draw(strategies.sampled_from(_PIECES))
    read_and_check(sample.name, bytes(body))
    read_and_check(sample.name, bytes(body[: data.draw(strategies.integers(0, len(body)))]))
