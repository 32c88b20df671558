"""Read and write files in S3. `put_once` writes with `If-None-Match: *`, so its files never change."""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NotRequired, TypedDict
from urllib.parse import quote, urlsplit
from zlib import crc32

from botocore.exceptions import ClientError

from readdo.runtime import client, logger, setting

INLINE_BYTES = 4096
LINK_SECONDS = 900
_EXISTS, _BEING_WRITTEN = "PreconditionFailed", "ConditionalRequestConflict"
_TRIES = 4


class StoredJson(TypedDict):
    """A JSON value of a row: the text itself, or its key in S3."""

    payload: NotRequired[str]
    payload_at: NotRequired[str]


def _bucket() -> str:
    return setting("BUCKET_NAME")


def put_once(key: str, body: bytes, content_type: str, disposition: str = "") -> bytes:
    """Write the file unless it exists. Return the stored bytes, which may be those of an earlier try."""
    extra = {"ContentDisposition": disposition} if disposition else {}
    request = {"Bucket": _bucket(), "Key": key, "Body": body, "ContentType": content_type, "IfNoneMatch": "*", **extra}
    for remaining in reversed(range(_TRIES)):
        try:
            client("s3").put_object(**request)
            break
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code == _EXISTS:
                return get(key)
            if code != _BEING_WRITTEN or remaining == 0:
                raise
    return body


class ObjectMissing(LookupError):
    """The file of a row is missing: its item was deleted after the row was read."""


def get(key: str) -> bytes:
    return bytes(_body(key).read())


def _body(key: str, **request: str) -> Any:
    try:
        return client("s3").get_object(Bucket=_bucket(), Key=key, **request)["Body"]
    except ClientError as error:
        # Without the right to list the bucket, S3 responds AccessDenied instead of NoSuchKey.
        if error.response["Error"]["Code"] in ("NoSuchKey", "AccessDenied"):
            logger.warning("a file is not there, or may not be read", extra={"key": key})
            raise ObjectMissing(key) from error
        raise


PART_BYTES = 8 * 1024 * 1024  # of a multipart upload; S3 requires at least 5 MiB for each part except the last
_CHUNK_BYTES = 1024 * 1024


def chunks(key: str, first: int, length: int) -> Iterator[bytes]:
    """Stream a range of a file."""
    if length:
        yield from _body(key, Range=f"bytes={first}-{first + length - 1}").iter_chunks(_CHUNK_BYTES)


def put_parts(key: str, body: Iterable[bytes], content_type: str, disposition: str) -> tuple[int, str]:
    """Write a file of any size, with one part in memory at a time. Return its size and SHA-256.

    An incomplete upload is not visible as a file. A lifecycle rule of the bucket deletes its parts.
    """
    place = {"Bucket": _bucket(), "Key": key}
    # The SDK begins an upload with this algorithm anyway. Then S3 wants the checksum of each part at the end, too.
    headers = {"ContentType": content_type, "ContentDisposition": disposition, "ChecksumAlgorithm": "CRC32"}
    upload = {**place, "UploadId": client("s3").create_multipart_upload(**place, **headers)["UploadId"]}
    whole, size = hashlib.sha256(), 0
    parts: list[dict[str, Any]] = []
    for part in _parts(body):
        whole.update(part)
        size += len(part)
        number, checksum = len(parts) + 1, base64.b64encode(crc32(part).to_bytes(4)).decode()
        answer = client("s3").upload_part(**upload, PartNumber=number, Body=part, ChecksumCRC32=checksum)
        parts.append({"PartNumber": number, "ETag": answer["ETag"], "ChecksumCRC32": checksum})
    client("s3").complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})
    return size, whole.hexdigest()


def _parts(body: Iterable[bytes]) -> Iterator[bytes]:
    waiting = bytearray()
    is_first = True
    for chunk in body:
        waiting += chunk
        while len(waiting) >= PART_BYTES:
            yield bytes(waiting[:PART_BYTES])
            del waiting[:PART_BYTES]
            is_first = False
    if waiting or is_first:  # S3 refuses an upload without parts
        yield bytes(waiting)


def copy(source: str, target: str) -> None:
    """Copy a file within the bucket."""
    client("s3").copy_object(Bucket=_bucket(), Key=target, CopySource={"Bucket": _bucket(), "Key": source})


def remove(key: str) -> None:
    client("s3").delete_object(Bucket=_bucket(), Key=key)


def remove_all(prefix: str) -> None:
    """Delete all files with a prefix. The bucket keeps old versions for another 30 days."""
    for page in client("s3").get_paginator("list_objects_v2").paginate(Bucket=_bucket(), Prefix=prefix):
        objects = [{"Key": row["Key"]} for row in page.get("Contents", ())]
        if objects:
            response = client("s3").delete_objects(Bucket=_bucket(), Delete={"Objects": objects, "Quiet": True})
            if errors := response.get("Errors"):
                raise RuntimeError(f"{len(errors)} files below {prefix} were not removed: {errors[0].get('Code')}")


# A stored file may be malicious: HTML and SVG run scripts. Browsers display these types and download all others.
_INLINE_TYPES = {".png": "image/png", ".pdf": "application/pdf"}
_DOWNLOAD_TYPES = {
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".zip": "application/zip",
}


def presign_download(key: str, name: str = "") -> str:
    """Create a presigned link. It expires with the role's session, so create it when it is needed.

    The signature includes the response's content type and disposition, because the stored values may come from an
    uploader. Without `name` the file keeps its stored name.
    """
    ending = PurePosixPath(key).suffix.lower()
    way = "inline" if ending in _INLINE_TYPES else "attachment"
    file_name = f"filename*=UTF-8''{quote(name, safe='', errors='replace')}" if name else _stored_name(key)
    return _presigned(
        key,
        ResponseContentDisposition=f"{way}; {file_name}",
        ResponseContentType=_INLINE_TYPES.get(ending) or _DOWNLOAD_TYPES.get(ending, "application/octet-stream"),
    )


def _stored_name(key: str) -> str:
    """The file name in the stored disposition. Without one, the last part of the key."""
    try:
        stored = client("s3").head_object(Bucket=_bucket(), Key=key).get("ContentDisposition", "")
    except ClientError:
        stored = ""  # the link responds 404 if there is no such file
    return str(stored).partition("; ")[2] or f'filename="{PurePosixPath(key).name}"'


def origin() -> str:
    """The scheme and host of presigned links."""
    parts = urlsplit(_presigned("x"))
    return f"{parts.scheme}://{parts.netloc}"


def _presigned(key: str, **response: str) -> str:
    params = {"Bucket": _bucket(), "Key": key, **response}
    return str(client("s3").generate_presigned_url("get_object", Params=params, ExpiresIn=LINK_SECONDS))


def upload_link(key: str, content_type: str, size: int, sha256_hex: str = "") -> dict[str, Any]:
    """Create a presigned PUT. The signature includes the size, the content type and any checksum."""
    headers = {"Content-Type": content_type, "Content-Length": str(size)}
    params: dict[str, Any] = {"Bucket": _bucket(), "Key": key, "ContentType": content_type, "ContentLength": size}
    if sha256_hex:
        checksum = base64.b64encode(bytes.fromhex(sha256_hex)).decode()
        params["ChecksumSHA256"] = headers["x-amz-checksum-sha256"] = checksum
    url = client("s3").generate_presigned_url("put_object", Params=params, ExpiresIn=LINK_SECONDS)
    return {"method": "PUT", "url": str(url), "headers": headers}


def sizes(prefix: str) -> dict[str, int]:
    """The sizes in bytes of all files with a prefix, by key."""
    pages = client("s3").get_paginator("list_objects_v2").paginate(Bucket=_bucket(), Prefix=prefix)
    return {row["Key"]: row["Size"] for page in pages for row in page.get("Contents", ())}


def size_of(key: str) -> int | None:
    """None if there is no such file."""
    try:
        return int(client("s3").head_object(Bucket=_bucket(), Key=key)["ContentLength"])
    except ClientError as error:
        if error.response["Error"]["Code"] in ("404", "NoSuchKey", "403", "AccessDenied"):
            return None
        raise


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def store_json(key: str, value: Any) -> StoredJson:
    """Fields for a row: the value itself if it is small, otherwise a key in S3. `read_json` reads both."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    body = text.encode()
    if len(body) <= INLINE_BYTES:
        return {"payload": text}
    put_once(key, body, "application/json")
    return {"payload_at": key}


def read_json(row: Mapping[str, Any]) -> Any:
    return json.loads(row["payload"] if "payload" in row else get(row["payload_at"]))
