"""A bucket in a dict, for tests of what is beside it: what it was asked for, and what was left in it."""

import io
from collections.abc import Iterator
from typing import Any


class Bucket:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.read: list[str] = []

    def get_object(self, **asked: Any) -> dict[str, Any]:
        self.read.append(asked["Key"])
        body = self.files[asked["Key"]]
        if "Range" in asked:
            first, last = map(int, asked["Range"].removeprefix("bytes=").split("-"))
            body = body[first : last + 1]
        return {"Body": _Body(body)}

    def put_object(self, **asked: Any) -> None:
        self.files[asked["Key"]] = asked["Body"]

    def head_object(self, **asked: Any) -> dict[str, Any]:
        return {"ContentLength": len(self.files[asked["Key"]])}

    def generate_presigned_url(self, *_: Any, **asked: Any) -> str:
        return f"https://bucket.invalid/{asked['Params']['Key']}"

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
