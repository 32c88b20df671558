"""Whatever the bytes: lines, told lines, or a file that is refused in words."""

import json

import pytest
from exported import SAMPLES, Sample
from hypothesis import given, settings
from hypothesis import strategies as some

from readdo import clock
from readdo.import_formats import BadFile, BadLine, ImportLine, lines
from readdo.web.requests import Capture

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


def told(name: str, body: bytes) -> None:
    try:
        for line, _ in zip(lines(name, body), range(READ_MAX), strict=False):
            holds(line)
    except BadFile as error:
        assert str(error).endswith(".")


def holds(line: ImportLine | BadLine) -> None:
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
@given(some.binary(max_size=400) | some.lists(some.sampled_from(_PIECES), max_size=60).map(b"".join))
def test_any_bytes(body: bytes) -> None:
    told("file", body)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(some.text(max_size=300))
def test_any_text(text: str) -> None:
    told("file", text.encode("utf-8", "surrogatepass"))
    told("file", b"url,tags\n" + text.encode("utf-8", "surrogatepass"))


json_values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=20),
    lambda inner: some.lists(inner, max_size=4)
    | some.dictionaries(
        some.sampled_from(
            ("url", "href", "title", "tags", "content", "bookmarks", "collections", "links", "items", "roots",
             "children", "slug", "savedAt", "createdAt", "lists", "is_archived", "annotations", "_embedded", "type",
             "uri", "parentId", "id", "name", "note", "extended", "description", "time", "labels", "state", "text")
        ), inner, max_size=6),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=400, derandomize=True, deadline=None)
@given(json_values)
def test_any_json_of_the_right_names_and_the_wrong_values(value: object) -> None:
    told("file.json", json.dumps(value).encode())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")
@settings(max_examples=40, derandomize=True, deadline=None)
@given(data=some.data())
def test_a_sample_that_was_cut_or_garbled(sample: Sample, data: some.DataObject) -> None:
    body = bytearray(sample.body)
    for _ in range(data.draw(some.integers(0, 4))):
        place = data.draw(some.integers(0, len(body)))
        body[place : place + data.draw(some.integers(0, 6))] = data.draw(some.sampled_from(_PIECES))
    told(sample.name, bytes(body))
    told(sample.name, bytes(body[: data.draw(some.integers(0, len(body)))]))
