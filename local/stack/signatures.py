"""Verify AWS Signature Version 4 of requests to the local stack, before the emulator sees them.

The emulator treats an empty access key as root, does not verify the owner's signature and parses credentials leniently.
Here only the exact forms that AWS SDKs write are accepted.
"""

import hashlib
import hmac
import math
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_HEADER = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([A-Z0-9]{16,128})/(\d{8})/([a-z0-9-]+)/([a-z0-9-]+)/aws4_request, ?"
    r"SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})"
)
_QUERY = (
    "X-Amz-Algorithm",
    "X-Amz-Credential",
    "X-Amz-Date",
    "X-Amz-Expires",
    "X-Amz-SignedHeaders",
    "X-Amz-Signature",
)
_QUERY_CREDENTIALS = ("x-amz-signature", "x-amz-credential", "x-amz-algorithm", "awsaccesskeyid")
_WEEK = 7 * 86_400


class SignatureError(Exception):
    """The request has no valid signature by a key of this stack; the text is shown to the user."""


@dataclass(frozen=True)
class SignedRequest:
    method: str
    path: str  # as it was sent, not decoded
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]  # names in lower case; a repeated header is joined by commas
    body: bytes = b""


@dataclass(frozen=True)
class Signature:
    """A parsed signature; `parts` is the emulator's type, which its calculation needs."""

    key: str
    service: str
    presigned: bool
    parts: Any


@dataclass(frozen=True)
class Credentials:
    secret: str
    token: str = ""
    is_owner: bool = False


def is_presigned(query: Mapping[str, list[str]]) -> bool:
    return any(name.lower() in _QUERY_CREDENTIALS for name in query)


def read_signature(request: SignedRequest) -> Signature:
    """Parse the signature of the request without verifying it."""
    from ministack.core.sigv4 import HeaderSignature  # noqa: PLC0415  # the emulator reads its settings on import

    header = request.headers.get("authorization", "")
    if is_presigned(request.query):
        if header:
            raise SignatureError("Send a presigned link without an Authorization header.")
        fields = _presigned(request)
    else:
        match = _HEADER.fullmatch(header)
        if match is None:
            raise SignatureError("This request is not signed with an access key of this stack.")
        fields = (*match.groups(), request.headers.get("x-amz-date", ""))
    parts = HeaderSignature(*fields)
    signed = parts.signed_headers.split(";")
    loose = [name for name in request.headers if name.startswith("x-amz-") and name not in signed]
    if "host" not in signed or loose:
        raise SignatureError(f"These headers are not covered by the signature: {', '.join(loose) or 'host'}.")
    return Signature(parts.access_key_id, parts.service, is_presigned(request.query), parts)


def _presigned(request: SignedRequest) -> tuple[str, ...]:
    values = [request.query.get(name, []) for name in _QUERY]
    if any(len(value) != 1 for value in values):
        raise SignatureError("The signature of this link is incomplete.")
    algorithm, credential, date, expires, signed, signature = (value[0] for value in values)
    match = _HEADER.fullmatch(f"{algorithm} Credential={credential}, SignedHeaders={signed}, Signature={signature}")
    if match is None or match[4] != "s3" or not expires.isdecimal() or not 0 < int(expires) <= _WEEK:
        raise SignatureError("This link is not signed with an access key of this stack.")
    return (*match.groups(), date)


def verify_signature(request: SignedRequest, signature: Signature, credentials: Credentials) -> None:
    from ministack.core import sigv4  # noqa: PLC0415  # as above

    if signature.presigned:
        token = request.query.get("X-Amz-Security-Token", [""])[-1]
        try:
            late = sigv4.presigned_request_is_expired(signature.parts.amz_date, request.query["X-Amz-Expires"][0])
        except ValueError:
            late = True
        failure = ("RequestExpired", "The link has expired. Request a new one.") if late else None
    else:
        token = request.headers.get("x-amz-security-token", "")
        failure = sigv4.request_time_failure(signature.parts) or _body_failure(request)
    if not hmac.compare_digest(token.encode(), credentials.token.encode()):
        failure = ("InvalidToken", "The session token does not belong to this access key.")
    failure = failure or sigv4.header_signature_failure(
        signature.parts,
        credentials.secret,
        request.method,
        request.path,
        dict(request.query),
        dict(request.headers),
        request.body,
        presigned=signature.presigned,
    )
    if failure:
        raise SignatureError(failure[1])


def _body_failure(request: SignedRequest) -> tuple[str, str] | None:
    """Check the body against its hash, which the signature covers."""
    declared_hash = request.headers.get("x-amz-content-sha256", "")
    is_hash = bool(re.fullmatch(r"[0-9a-f]{64}", declared_hash))
    if is_hash and declared_hash != hashlib.sha256(request.body).hexdigest():
        return "XAmzContentSHA256Mismatch", "The body does not match the signature."
    return None


def find_credentials(key: str) -> Credentials:
    """Find the owner's key of this start, or temporary credentials issued by this process."""
    from ministack.services import sts  # noqa: PLC0415  # as above

    if key == os.environ["AWS_ACCESS_KEY_ID"]:
        return Credentials(os.environ["AWS_SECRET_ACCESS_KEY"], is_owner=True)
    session = sts._sessions.get(key)
    if session is None or session.get("Expiration", math.inf) < time.time():
        raise SignatureError("Unknown access key. Use the key in .local/admin.env.")
    return Credentials(session["SecretAccessKey"], session.get("SessionToken") or "")
