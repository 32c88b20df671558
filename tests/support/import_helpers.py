"""Import a file as a user does: create the import, upload the file to the link, start."""

import json
import os
from typing import Any
from urllib.parse import unquote, urlsplit

import boto3

from support.world import TEXT, World


def send(upload: dict[str, Any], body: bytes) -> None:
    """Put the file where the link points.

    Other tests check what the link is signed for.
    """
    path = unquote(urlsplit(upload["url"]).path)
    key = path[path.index("imports/") :]
    boto3.client("s3").put_object(Bucket=os.environ["BUCKET_NAME"], Key=key, Body=body)


def start_import(fresh: World, body: bytes | str, name: str = "links.txt", **settings: Any) -> str:
    """Create an import, upload its file and start it; the workflow continues by itself."""
    raw = body.encode() if isinstance(body, str) else body
    answer = fresh.api("POST", "/import", {"filename": name, "size": len(raw), **settings})
    assert answer.status == 202, answer.json
    import_id = str(answer.json["import"]["id"])
    assert answer.headers["location"] == f"/imports/{import_id}"
    send(answer.json["upload"], raw)
    started = fresh.api("POST", f"/imports/{import_id}/start", {})
    assert started.status == 200, started.json
    return import_id


def get_import(fresh: World, import_id: str) -> dict[str, Any]:
    return dict(fresh.api("GET", f"/imports/{import_id}").json["import"])


def lines(fresh: World, import_id: str, query: str = "") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    cursor = ""
    cursors: set[str] = set()
    while cursor not in cursors:
        cursors.add(cursor)
        answer = fresh.api("GET", f"/imports/{import_id}/lines?{query}{cursor}")
        assert answer.status == 200, answer.json
        rows += answer.json["lines"]
        if answer.json["next_cursor"] is None:
            return rows
        cursor = f"&cursor={answer.json['next_cursor']}"
    raise AssertionError(f"the list comes to no end: {cursor}")


def texts(count: int, **more: Any) -> str:
    """JSON lines, each with its own text, so that the items become READY without a network."""
    return "\n".join(
        json.dumps({"url": f"https://example.org/{n}", "title": f"Text {n}", "content": TEXT, **more})
        for n in range(count)
    )
