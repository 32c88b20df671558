"""Files: written once, and small payloads lie in their row; large ones, by their bytes in UTF-8, in the bucket."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
from botocore.exceptions import ClientError

from readdo import files
from readdo.runtime import client, setting
from support.world import REGION, World

LIMIT = 4096


def stored(world: World, key: str) -> bytes | None:
    try:
        return bytes(boto3.client("s3").get_object(Bucket=world.outputs["BucketName"], Key=key)["Body"].read())
    except ClientError:
        return None


def test_what_is_written_first_stays_and_is_what_the_second_gets(deployed: World) -> None:
    assert files.put_once("once/a", b"first", "text/plain") == b"first"
    assert files.put_once("once/a", b"second", "text/plain") == b"first"
    assert stored(deployed, "once/a") == b"first"


def test_the_same_again_is_the_same(deployed: World) -> None:
    for _ in range(3):
        assert files.put_once("once/b", b"same", "text/plain") == b"same"
    assert stored(deployed, "once/b") == b"same"


@pytest.mark.parametrize("body", [b"", b"\x00\xff", b"x" * 1_000_000])
def test_any_bytes_come_back_as_they_were(deployed: World, body: bytes) -> None:
    key = f"bytes/{len(body)}"
    files.put_once(key, body, "application/octet-stream")
    assert files.get(key) == stored(deployed, key) == body


def text_of(size: int, letter: str) -> str:
    """A text whose JSON, quotes included, has exactly `size` bytes in UTF-8."""
    width = len(letter.encode())
    return letter * ((size - 2) // width) + "x" * ((size - 2) % width)


@pytest.mark.parametrize("letter", ["x", "é", "字", "💥"])
@pytest.mark.parametrize(("size", "inline"), [(LIMIT - 1, True), (LIMIT, True), (LIMIT + 1, False)])
def test_the_border_is_drawn_in_bytes(deployed: World, letter: str, size: int, inline: bool) -> None:
    key, value = f"border/{size}/{ord(letter)}", text_of(size, letter)
    assert len(json.dumps(value, ensure_ascii=False).encode()) == size
    kept = files.keep_json(key, value)
    assert set(kept) == ({"payload"} if inline else {"payload_at"})
    assert (stored(deployed, key) is None) == inline
    assert files.read_json(kept) == value


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("value", [{"a": [1, 2.5, None, True, "栅栏\u2028\x00"]}, [], {}, "", {"l": ["字" * 3000]}])
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    assert files.read_json(files.keep_json(f"values/{files.sha256(str(value).encode())}", value)) == value


@pytest.mark.usefixtures("deployed")
def test_another_error_of_the_bucket_is_not_taken_for_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUCKET_NAME", "nobodys-bucket")
    with pytest.raises(ClientError):
        files.put_once("once/c", b"x", "text/plain")


def test_a_link_names_the_file_and_ends(deployed: World) -> None:
    link = files.link("exports/me/x/card.md")
    assert deployed.outputs["BucketName"] in link
    assert "exports/me/x/card.md" in link
    assert "Expires" in link


def answer_of(link: str) -> tuple[str, str]:
    """The type and the disposition that the link's signature fixes."""
    query = parse_qs(urlsplit(link).query)
    return query["response-content-type"][0], query["response-content-disposition"][0]


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize(
    ("key", "kind", "way"),
    [
        ("card.png", "image/png", "inline"),
        ("card.pdf", "application/pdf", "inline"),
        ("report.PDF", "application/pdf", "inline"),
        ("card.md", "text/markdown; charset=utf-8", "attachment"),
        ("card.html", "application/octet-stream", "attachment"),
        ("001-report.HTM", "application/octet-stream", "attachment"),
        ("001-drawing.svg", "application/octet-stream", "attachment"),
        ("001-feed.xml", "application/octet-stream", "attachment"),
        ("001-x.png.html", "application/octet-stream", "attachment"),
        ("file", "application/octet-stream", "attachment"),
        ("all.zip", "application/zip", "attachment"),
    ],
)
def test_link_fixes_a_type_in_which_nothing_runs(key: str, kind: str, way: str) -> None:
    """An uploader chose the stored type, so that is not the one that a browser is told."""
    place = f"evidence/me/{key}"
    client("s3").put_object(Bucket=setting("BUCKET_NAME"), Key=place, Body=b"<script>", ContentType="text/html")
    assert answer_of(files.link(place)) == (kind, f'{way}; filename="{key}"')
    assert answer_of(files.link(place, 'a "b" 队列.html')) == (
        kind,
        f"{way}; filename*=UTF-8''a%20%22b%22%20%E9%98%9F%E5%88%97.html",
    )


@pytest.mark.usefixtures("deployed")
def test_link_keeps_the_name_under_which_the_file_was_stored() -> None:
    files.put_once(
        "exports/me/named/card.html",
        b"x",
        "text/html",
        disposition="inline; filename=\"a.html\"; filename*=UTF-8''a.html",
    )
    told = answer_of(files.link("exports/me/named/card.html"))[1]
    assert told == "attachment; filename=\"a.html\"; filename*=UTF-8''a.html"
    assert answer_of(files.link("exports/me/nothing/card.md"))[1] == 'attachment; filename="card.md"'


@pytest.mark.parametrize("code", ["NoSuchKey", "AccessDenied"])
def test_a_file_that_is_not_there_is_gone_by_either_of_s3s_words(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """AWS says "not there" only to those who may list the bucket, and most rooms may not."""

    def refuse(**_: Any) -> Any:
        raise ClientError({"Error": {"Code": code, "Message": ""}}, "GetObject")

    monkeypatch.setattr(client("s3"), "get_object", refuse)
    with pytest.raises(files.ObjectMissing):
        files.get("content/me/x")


def test_a_link_names_the_buckets_own_host_in_its_region(deployed: World) -> None:
    """The global host sends a new bucket's link on to another, where the signature is not right."""
    host = urlsplit(files.link("exports/me/x")).hostname
    assert host == f"{deployed.outputs['BucketName']}.s3.{REGION}.amazonaws.com"
