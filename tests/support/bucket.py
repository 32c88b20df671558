"""Bucket in a dict that records which objects were read."""

import io
from collections.abc import Iterator
from typing import Any


class Bucket:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.read: list[str] = []

    def get_object(self, **request: Any) -> dict[str, Any]:
        self.read.append(request["Key"])
        body = self.files[request["Key"]]
        if "Range" in request:
            first, last = map(int, request["Range"].removeprefix("bytes=").split("-"))
            body = body[first : last + 1]
        return {"Body": _Body(body)}

    def put_object(self, **request: Any) -> None:
        self.files[request["Key"]] = request["Body"]

    def head_object(self, **request: Any) -> dict[str, Any]:
        return {"ContentLength": len(self.files[request["Key"]])}

    def generate_presigned_url(self, *_: Any, **request: Any) -> str:
        return f"https://bucket.invalid/{request['Params']['Key']}"

    def get_paginator(self, _: str) -> "Bucket":
        return self

    def paginate(self, *, Prefix: str, **_: Any) -> Iterator[dict[str, Any]]:  # noqa: N803 - S3's own name
        yield {
            "Contents": [{"Key": key, "Size": len(body)} for key, body in self.files.items() if key.startswith(Prefix)]
        }

    def delete_objects(self, *, Delete: dict[str, Any], **_: Any) -> dict[str, Any]:  # noqa: N803 - as above
        for one in Delete["Objects"]:
            del self.files[one["Key"]]
        return {}


class _Body(io.BytesIO):
    def iter_chunks(self, _: int) -> Iterator[bytes]:
        yield self.read()
