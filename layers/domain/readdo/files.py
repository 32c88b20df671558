"""The only code that talks to S3. What is written once is written with `If-None-Match: *` and never changes."""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, urlsplit

from botocore.exceptions import ClientError

from readdo.runtime import client, logger, setting

INLINE_BYTES = 4096
LINK_SECONDS = 900
_EXISTS, _BEING_WRITTEN = "PreconditionFailed", "ConditionalRequestConflict"
_TRIES = 4


def _bucket() -> str:
    return setting("BUCKET_NAME")


def put_once(key: str, body: bytes, content_type: str, disposition: str = "") -> bytes:
    """Write, or find what an earlier delivery wrote: either way the bytes that are there are returned."""
    extra = {"ContentDisposition": disposition} if disposition else {}
    ask = {"Bucket": _bucket(), "Key": key, "Body": body, "ContentType": content_type, "IfNoneMatch": "*", **extra}
    for left in reversed(range(_TRIES)):
        try:
            client("s3").put_object(**ask)
            break
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code == _EXISTS:
                return get(key)
            if code != _BEING_WRITTEN or left == 0:
                raise
    return body


class ObjectMissing(LookupError):
    """What a row names is there no more: its item was deleted between the two looks."""


def get(key: str) -> bytes:
    try:
        return bytes(client("s3").get_object(Bucket=_bucket(), Key=key)["Body"].read())
    except ClientError as error:
        # S3 says "not there" only to those who may list; to others it says that they may not look.
        if error.response["Error"]["Code"] in ("NoSuchKey", "AccessDenied"):
            logger.warning("a file is not there, or may not be read", extra={"key": key})
            raise ObjectMissing(key) from error
        raise


PART_BYTES = 8 * 1024 * 1024  # of a file that is written in parts; none but the last may have fewer than 5 MiB
_CHUNK_BYTES = 1024 * 1024


def chunks(key: str, first: int, length: int) -> Iterator[bytes]:
    """A stretch of a file, bit by bit, however long it is."""
    if length:
        ask = {"Bucket": _bucket(), "Key": key, "Range": f"bytes={first}-{first + length - 1}"}
        yield from client("s3").get_object(**ask)["Body"].iter_chunks(_CHUNK_BYTES)


def put_parts(key: str, body: Iterable[bytes], content_type: str, disposition: str) -> tuple[int, str]:
    """A file of any size, of which no more than a part is held at a time; its bytes and its SHA-256.

    What breaks off is not seen as a file, and the bucket's own rule takes its parts away.
    """
    place = {"Bucket": _bucket(), "Key": key}
    told = {"ContentType": content_type, "ContentDisposition": disposition}
    upload = {**place, "UploadId": client("s3").create_multipart_upload(**place, **told)["UploadId"]}
    whole, size = hashlib.sha256(), 0
    parts: list[dict[str, Any]] = []
    for part in _parts(body):
        whole.update(part)
        size += len(part)
        answer = client("s3").upload_part(**upload, PartNumber=len(parts) + 1, Body=part)
        parts.append({"PartNumber": len(parts) + 1, "ETag": answer["ETag"]})
    client("s3").complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})
    return size, whole.hexdigest()


def _parts(body: Iterable[bytes]) -> Iterator[bytes]:
    waiting = bytearray()
    for chunk in body:
        waiting += chunk
        while len(waiting) >= PART_BYTES:
            yield bytes(waiting[:PART_BYTES])
            del waiting[:PART_BYTES]
    if waiting:
        yield bytes(waiting)


def remove(key: str) -> None:
    client("s3").delete_object(Bucket=_bucket(), Key=key)


def remove_all(prefix: str) -> None:
    """Everything below a prefix; out of reach at once, and gone when the bucket drops its old versions (30 days)."""
    for page in client("s3").get_paginator("list_objects_v2").paginate(Bucket=_bucket(), Prefix=prefix):
        found = [{"Key": kept["Key"]} for kept in page.get("Contents", ())]
        if found:
            answer = client("s3").delete_objects(Bucket=_bucket(), Delete={"Objects": found, "Quiet": True})
            if errors := answer.get("Errors"):
                raise RuntimeError(f"{len(errors)} files below {prefix} were not removed: {errors[0].get('Code')}")


# A stored file may be hostile: HTML and SVG run scripts. A browser shows these kinds, and saves all others.
_SHOWN = {".png": "image/png", ".pdf": "application/pdf"}
_SAVED = {
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".zip": "application/zip",
}


def link(key: str, name: str = "") -> str:
    """A presigned link; it dies with the role's session, so it is made when it is needed.

    Its answer's type and disposition are signed with it: those that were stored may be an uploader's. Without a
    `name` the file keeps the one under which the product stored it.
    """
    ending = PurePosixPath(key).suffix.lower()
    way = "inline" if ending in _SHOWN else "attachment"
    told = f"filename*=UTF-8''{quote(name, safe='', errors='replace')}" if name else _stored_name(key)
    return _presigned(
        key,
        ResponseContentDisposition=f"{way}; {told}",
        ResponseContentType=_SHOWN.get(ending) or _SAVED.get(ending, "application/octet-stream"),
    )


def _stored_name(key: str) -> str:
    """The part of the stored disposition that names the file; the last part of its key if there is none."""
    try:
        stored = client("s3").head_object(Bucket=_bucket(), Key=key).get("ContentDisposition", "")
    except ClientError:
        stored = ""  # the link itself will say that there is no such file
    return str(stored).partition("; ")[2] or f'filename="{PurePosixPath(key).name}"'


def origin() -> str:
    """Where presigned links lead."""
    parts = urlsplit(_presigned("x"))
    return f"{parts.scheme}://{parts.netloc}"


def _presigned(key: str, **answer: str) -> str:
    params = {"Bucket": _bucket(), "Key": key, **answer}
    return str(client("s3").generate_presigned_url("get_object", Params=params, ExpiresIn=LINK_SECONDS))


def upload_link(key: str, content_type: str, size: int, sha256_hex: str = "") -> dict[str, Any]:
    """A presigned PUT that takes so many bytes: size, kind and checksum, if it is known, are part of what is signed."""
    headers = {"Content-Type": content_type, "Content-Length": str(size)}
    ask: dict[str, Any] = {"Bucket": _bucket(), "Key": key, "ContentType": content_type, "ContentLength": size}
    if sha256_hex:
        checksum = base64.b64encode(bytes.fromhex(sha256_hex)).decode()
        ask["ChecksumSHA256"] = headers["x-amz-checksum-sha256"] = checksum
    url = client("s3").generate_presigned_url("put_object", Params=ask, ExpiresIn=LINK_SECONDS)
    return {"method": "PUT", "url": str(url), "headers": headers}


def sizes(prefix: str) -> dict[str, int]:
    """What is there below a prefix: key → bytes."""
    pages = client("s3").get_paginator("list_objects_v2").paginate(Bucket=_bucket(), Prefix=prefix)
    return {kept["Key"]: kept["Size"] for page in pages for kept in page.get("Contents", ())}


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


def keep_json(key: str, value: Any) -> dict[str, str]:
    """A value for a row: in the row if it is small, in S3 if it is not. `read_json` reads both."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    body = text.encode()
    if len(body) <= INLINE_BYTES:
        return {"payload": text}
    put_once(key, body, "application/json")
    return {"payload_at": key}


def read_json(row: dict[str, Any]) -> Any:
    return json.loads(row["payload"] if "payload" in row else get(row["payload_at"]))
