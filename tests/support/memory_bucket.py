"""In-memory bucket with the calls that the product and its tests make.

AWS's own client signs the links.
"""

import base64
import hashlib
import io
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any
from zlib import crc32

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

REGION = "eu-central-1"
BUCKET = "bucket"


def client_error(code: str, operation: str, status: int = 400) -> ClientError:
    response: Any = {"Error": {"Code": code, "Message": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(response, operation)


class Locked:
    """Lock that allows one call at a time: several threads stand for several functions."""

    def __init__(self) -> None:
        self.lock = threading.RLock()


class Pages:
    def __init__(self, call: Callable[..., dict[str, Any]]) -> None:
        self._call = call

    def paginate(self, **request: Any) -> Iterator[dict[str, Any]]:
        yield self._call(**request)


class CloudBucket(Locked):
    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, dict[str, Any]] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}

    def put_object(self, *, Bucket: str, Key: str, Body: Any, IfNoneMatch: str = "", **more: Any) -> dict[str, Any]:  # noqa: N803  # S3's own names
        body = Body if isinstance(Body, bytes) else bytes(Body.read() if hasattr(Body, "read") else Body)
        with self.lock:
            self._check(Bucket, "PutObject")
            if IfNoneMatch and Key in self.files:
                raise client_error("PreconditionFailed", "PutObject", 412)
            self.files[Key] = {**more, "Body": body}
        return {"ETag": _etag(body)}

    def get_object(self, *, Bucket: str, Key: str, Range: str = "", **_: Any) -> dict[str, Any]:  # noqa: N803  # as above
        stored = self._find(Bucket, Key, "GetObject", "NoSuchKey")
        first, _dash, last = Range.removeprefix("bytes=").partition("-")
        body = stored["Body"][int(first) : int(last) + 1] if Range else stored["Body"]
        return {**_content_headers(stored), "ContentLength": len(body), "Body": _Body(body)}

    def head_object(self, *, Bucket: str, Key: str, **_: Any) -> dict[str, Any]:  # noqa: N803  # as above
        stored = self._find(Bucket, Key, "HeadObject", "404")
        return {**_content_headers(stored), "ContentLength": len(stored["Body"])}

    def list_objects_v2(self, *, Bucket: str, Prefix: str = "", **_: Any) -> dict[str, Any]:  # noqa: N803  # as above
        with self.lock:
            self._check(Bucket, "ListObjectsV2")
            matches = {key: stored for key, stored in sorted(self.files.items()) if key.startswith(Prefix)}
        listed = [{"Key": key, "Size": len(k["Body"]), "ETag": _etag(k["Body"])} for key, k in matches.items()]
        return {"KeyCount": len(listed), **({"Contents": listed} if listed else {})}

    def get_paginator(self, _: str) -> Any:
        return Pages(self.list_objects_v2)

    def copy_object(self, *, Bucket: str, Key: str, CopySource: dict[str, str], **_: Any) -> dict[str, Any]:  # noqa: N803  # as above
        stored = self._find(CopySource["Bucket"], CopySource["Key"], "CopyObject", "NoSuchKey")
        with self.lock:
            self._check(Bucket, "CopyObject")
            self.files[Key] = dict(stored)
        return {}

    def delete_object(self, *, Bucket: str, Key: str, **_: Any) -> dict[str, Any]:  # noqa: N803  # as above
        with self.lock:
            self._check(Bucket, "DeleteObject")
            self.files.pop(Key, None)
        return {}

    def delete_objects(self, *, Bucket: str, Delete: dict[str, Any], **_: Any) -> dict[str, Any]:  # noqa: N803  # as above
        for one in Delete["Objects"]:
            self.delete_object(Bucket=Bucket, Key=one["Key"])
        return {}

    def create_multipart_upload(self, *, Bucket: str, Key: str, **more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        with self.lock:
            self._check(Bucket, "CreateMultipartUpload")
            name = f"{Key}-{len(self.uploads)}"
            self.uploads[name] = {}
            self.files.setdefault(f"\0{name}", {**more, "Body": b""})
            return {"UploadId": name}

    def upload_part(self, *, UploadId: str, PartNumber: int, Body: bytes, **more: Any) -> dict[str, Any]:  # noqa: N803  # as above
        if more.get("ChecksumCRC32", _crc32(Body)) != _crc32(Body):
            raise client_error("BadDigest", "UploadPart")
        with self.lock:
            self.uploads[UploadId][PartNumber] = bytes(Body)
        return {"ETag": _etag(bytes(Body))}

    def complete_multipart_upload(
        self,
        *,
        Key: str,  # noqa: N803  # as above
        UploadId: str,  # noqa: N803  # as above
        MultipartUpload: Mapping[str, Any],  # noqa: N803  # as above
        **_: Any,
    ) -> dict[str, Any]:
        with self.lock:
            parts = self.uploads.pop(UploadId)
            if not parts:
                raise client_error("MalformedXML", "CompleteMultipartUpload")
            # The SDK begins every upload with CRC32, so S3 refuses parts whose checksums are not listed.
            listed = {part["PartNumber"]: part.get("ChecksumCRC32") for part in MultipartUpload["Parts"]}
            if listed != {number: _crc32(body) for number, body in parts.items()}:
                raise client_error("InvalidRequest", "CompleteMultipartUpload")
            stored = self.files.pop(f"\0{UploadId}")
            self.files[Key] = {**stored, "Body": b"".join(parts[number] for number in sorted(parts))}
        return {}

    def generate_presigned_url(self, *args: Any, **kwargs: Any) -> str:
        return str(_signer().generate_presigned_url(*args, **kwargs))

    def _check(self, bucket: str, operation: str) -> None:
        if bucket != BUCKET:
            raise client_error("NoSuchBucket", operation, 404)

    def _find(self, bucket: str, key: str, operation: str, missing: str) -> dict[str, Any]:
        with self.lock:
            self._check(bucket, operation)
            if key not in self.files:
                raise client_error(missing, operation, 404)
            return self.files[key]


class _Body(io.BytesIO):
    def iter_chunks(self, size: int = 1024) -> Iterator[bytes]:
        while chunk := self.read(size):
            yield chunk


def _content_headers(stored: Mapping[str, Any]) -> dict[str, Any]:
    return {name: stored[name] for name in ("ContentType", "ContentDisposition") if name in stored}


def _etag(body: bytes) -> str:
    return f'"{hashlib.md5(body).hexdigest()}"'  # noqa: S324 - S3's own


def _crc32(body: bytes) -> str:
    return base64.b64encode(crc32(body).to_bytes(4)).decode()


_make_client = boto3.client


@cache
def _signer() -> Any:
    """Return AWS's own client: signing makes no request."""
    config = Config(signature_version="v4", s3={"addressing_style": "virtual"})
    return _make_client("s3", region_name=REGION, aws_access_key_id="test", aws_secret_access_key="test", config=config)
