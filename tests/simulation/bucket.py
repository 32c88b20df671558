"""S3 double of the simulation: a file written with `If-None-Match` is never overwritten."""

import io
from collections.abc import Iterator
from typing import Any

from simulation.network import Network, refused
from simulation.stage import Violation


class StageBucket:
    def __init__(self, network: Network) -> None:
        self.network = network
        self.files: dict[str, bytes] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}

    def put_object(self, *, Key: str, Body: bytes, IfNoneMatch: str = "", **_more: Any) -> None:  # noqa: N803  # S3's own names
        def put() -> None:
            if Key in self.files and IfNoneMatch:
                self.network.stage.seen["a file was there already"] += 1
                raise refused("PreconditionFailed", Key)
            if self.files.get(Key, Body) != Body:
                raise Violation(f"the file {Key} was overwritten with other bytes")
            self.files[Key] = Body

        self.network.write(f"put {Key[-40:]}", put, _outcome_unknown)

    def get_object(self, *, Key: str, Range: str = "", **_more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        def get() -> dict[str, Any]:
            if Key not in self.files:
                raise refused("NoSuchKey", Key)
            first, _, last = Range.removeprefix("bytes=").partition("-")
            body = self.files[Key][int(first) : int(last) + 1] if Range else self.files[Key]
            return {"Body": _Body(body)}

        return self.network.read(f"read {Key[-40:]}", get)

    def create_multipart_upload(self, *, Key: str, **_more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        def create() -> dict[str, Any]:
            upload = f"upload {len(self.uploads)}"
            self.uploads[upload] = {}
            return {"UploadId": upload}

        return self.network.write(f"begin {Key[-40:]}", create, _outcome_unknown)

    def upload_part(self, *, UploadId: str, PartNumber: int, Body: bytes, **_more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        def put() -> dict[str, Any]:
            self.uploads[UploadId][PartNumber] = Body
            return {"ETag": str(PartNumber)}

        return self.network.write(f"part {PartNumber} of {UploadId}", put, _outcome_unknown)

    def complete_multipart_upload(self, *, Key: str, UploadId: str, **_more: Any) -> None:  # noqa: N803  # as above
        def complete() -> None:
            parts = self.uploads[UploadId]
            self.files[Key] = b"".join(parts[number] for number in sorted(parts))

        self.network.write(f"end {Key[-40:]}", complete, _outcome_unknown)

    def head_object(self, *, Key: str, **_more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        def look() -> dict[str, Any]:
            if Key not in self.files:
                raise refused("404", Key)
            return {"ContentLength": len(self.files[Key])}

        return self.network.read(f"look for {Key[-40:]}", look)

    def delete_object(self, *, Key: str, **_more: Any) -> None:  # noqa: N803  # as above
        self.network.write(f"remove {Key[-40:]}", lambda: self.files.pop(Key, None), _outcome_unknown)

    def generate_presigned_url(self, operation: str, *, Params: dict[str, Any], **_more: Any) -> str:  # noqa: N803  # as above
        """Return a URL: signing makes no request."""
        return f"https://bucket.invalid/{operation}/{Params['Key']}"

    def get_paginator(self, _operation: str) -> "StageBucket":
        return self

    def paginate(self, *, Prefix: str, **_more: Any) -> Iterator[dict[str, Any]]:  # noqa: N803  # as above
        files = [{"Key": key} for key in sorted(self.files) if key.startswith(Prefix)]
        yield self.network.read(f"list {Prefix[-40:]}", lambda: {"Contents": files} if files else {})

    def delete_objects(self, *, Delete: dict[str, Any], **_more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        def remove() -> dict[str, Any]:
            for one in Delete["Objects"]:
                self.files.pop(one["Key"], None)
            return {}

        return self.network.write(f"remove {len(Delete['Objects'])} files", remove, _outcome_unknown)


class _Body(io.BytesIO):
    def iter_chunks(self, _size: int) -> Iterator[bytes]:
        yield self.getvalue()


def _outcome_unknown(words: str) -> Exception:
    return refused("InternalError", words)
