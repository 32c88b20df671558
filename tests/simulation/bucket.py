"""S3's double on the stage: what was written under `If-None-Match` stands."""

import io
from collections.abc import Iterator
from typing import Any

from simulation.network import Network, refused
from simulation.stage import Violation


class StageBucket:
    def __init__(self, network: Network) -> None:
        self.network = network
        self.files: dict[str, bytes] = {}

    def put_object(self, *, Key: str, Body: bytes, IfNoneMatch: str = "", **_more: Any) -> None:  # noqa: N803  # S3's own names
        def put() -> None:
            if Key in self.files and IfNoneMatch:
                self.network.stage.seen["a file was there already"] += 1
                raise refused("PreconditionFailed", Key)
            if self.files.get(Key, Body) != Body:
                raise Violation(f"the file {Key} was overwritten with other bytes")
            self.files[Key] = Body

        self.network.write(f"put {Key[-40:]}", put, _unknown)

    def get_object(self, *, Key: str, **_more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        def get() -> dict[str, Any]:
            if Key not in self.files:
                raise refused("NoSuchKey", Key)
            return {"Body": io.BytesIO(self.files[Key])}

        return self.network.read(f"read {Key[-40:]}", get)

    def delete_object(self, *, Key: str, **_more: Any) -> None:  # noqa: N803  # as above
        self.network.write(f"remove {Key[-40:]}", lambda: self.files.pop(Key, None), _unknown)

    def generate_presigned_url(self, operation: str, *, Params: dict[str, Any], **_more: Any) -> str:  # noqa: N803  # as above
        """Signing asks nobody."""
        return f"https://bucket.invalid/{operation}/{Params['Key']}"

    def get_paginator(self, _operation: str) -> "StageBucket":
        return self

    def paginate(self, *, Prefix: str, **_more: Any) -> Iterator[dict[str, Any]]:  # noqa: N803  # as above
        found = [{"Key": key} for key in sorted(self.files) if key.startswith(Prefix)]
        yield self.network.read(f"list {Prefix[-40:]}", lambda: {"Contents": found} if found else {})

    def delete_objects(self, *, Delete: dict[str, Any], **_more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        def remove() -> dict[str, Any]:
            for one in Delete["Objects"]:
                self.files.pop(one["Key"], None)
            return {}

        return self.network.write(f"remove {len(Delete['Objects'])} files", remove, _unknown)


def _unknown(words: str) -> Exception:
    return refused("InternalError", words)
