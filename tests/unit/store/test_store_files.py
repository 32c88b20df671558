"""Files are written once; small JSON payloads stay in the row, larger ones go to the bucket.

The limit counts bytes of UTF-8.
"""

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


def stored_body(world: World, key: str) -> bytes | None:
    try:
        return bytes(boto3.client("s3").get_object(Bucket=world.outputs["BucketName"], Key=key)["Body"].read())
    except ClientError:
        return None


def test_put_once_keeps_and_returns_the_first_body(deployed: World) -> None:
    assert files.put_once("once/a", b"first", "text/plain") == b"first"
    assert files.put_once("once/a", b"second", "text/plain") == b"first"
    assert stored_body(deployed, "once/a") == b"first"


def test_put_once_is_idempotent(deployed: World) -> None:
    for _ in range(3):
        assert files.put_once("once/b", b"same", "text/plain") == b"same"
    assert stored_body(deployed, "once/b") == b"same"


@pytest.mark.parametrize("body", [b"", b"\x00\xff", b"x" * 1_000_000])
def test_bytes_are_stored_unchanged(deployed: World, body: bytes) -> None:
    key = f"bytes/{len(body)}"
    files.put_once(key, body, "application/octet-stream")
    assert files.get(key) == stored_body(deployed, key) == body


def text_of(size: int, letter: str) -> str:
    """A text whose JSON, quotes included, has exactly `size` bytes in UTF-8."""
    width = len(letter.encode())
    return letter * ((size - 2) // width) + "x" * ((size - 2) % width)


@pytest.mark.parametrize("letter", ["x", "é", "字", "💥"])
@pytest.mark.parametrize(("size", "inline"), [(LIMIT - 1, True), (LIMIT, True), (LIMIT + 1, False)])
def test_inline_limit_counts_bytes(deployed: World, letter: str, size: int, inline: bool) -> None:
    key, value = f"border/{size}/{ord(letter)}", text_of(size, letter)
    assert len(json.dumps(value, ensure_ascii=False).encode()) == size
    reference = files.store_json(key, value)
    assert set(reference) == ({"payload"} if inline else {"payload_at"})
    assert (stored_body(deployed, key) is None) == inline
    assert files.read_json(reference) == value


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("value", [{"a": [1, 2.5, None, True, "栅栏\u2028\x00"]}, [], {}, "", {"l": ["字" * 3000]}])
def test_json_value_is_stored_unchanged(value: Any) -> None:
    assert files.read_json(files.store_json(f"values/{files.sha256(str(value).encode())}", value)) == value


@pytest.mark.usefixtures("deployed")
def test_put_once_raises_other_bucket_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUCKET_NAME", "nobodys-bucket")
    with pytest.raises(ClientError):
        files.put_once("once/c", b"x", "text/plain")


def test_link_contains_the_file_and_expires(deployed: World) -> None:
    link = files.presign_download("exports/me/x/card.md")
    assert deployed.outputs["BucketName"] in link
    assert "exports/me/x/card.md" in link
    assert "Expires" in link


def response_headers_of(link: str) -> tuple[str, str]:
    """Return the content type and disposition that the link's signature fixes."""
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
def test_link_fixes_a_safe_content_type(key: str, kind: str, way: str) -> None:
    """The uploader chose the stored content type, so a browser must not get it."""
    object_key = f"evidence/me/{key}"
    client("s3").put_object(Bucket=setting("BUCKET_NAME"), Key=object_key, Body=b"<script>", ContentType="text/html")
    assert response_headers_of(files.presign_download(object_key)) == (kind, f'{way}; filename="{key}"')
    assert response_headers_of(files.presign_download(object_key, 'a "b" 队列.html')) == (
        kind,
        f"{way}; filename*=UTF-8''a%20%22b%22%20%E9%98%9F%E5%88%97.html",
    )


@pytest.mark.usefixtures("deployed")
def test_link_keeps_the_stored_file_name() -> None:
    files.put_once(
        "exports/me/named/card.html",
        b"x",
        "text/html",
        disposition="inline; filename=\"a.html\"; filename*=UTF-8''a.html",
    )
    disposition = response_headers_of(files.presign_download("exports/me/named/card.html"))[1]
    assert disposition == "attachment; filename=\"a.html\"; filename*=UTF-8''a.html"
    assert (
        response_headers_of(files.presign_download("exports/me/nothing/card.md"))[1] == 'attachment; filename="card.md"'
    )


@pytest.mark.parametrize("code", ["NoSuchKey", "AccessDenied"])
def test_missing_file_is_recognized_by_both_s3_errors(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """AWS returns "not found" only to roles that may list the bucket; most functions may not."""

    def refuse(**_: Any) -> Any:
        raise ClientError({"Error": {"Code": code, "Message": ""}}, "GetObject")

    monkeypatch.setattr(client("s3"), "get_object", refuse)
    with pytest.raises(files.ObjectMissing):
        files.get("content/me/x")


def test_link_uses_the_buckets_regional_host(deployed: World) -> None:
    """The global host redirects requests for a new bucket to another host, where the signature is invalid."""
    host = urlsplit(files.presign_download("exports/me/x")).hostname
    assert host == f"{deployed.outputs['BucketName']}.s3.{REGION}.amazonaws.com"
