"""AWS Signature Version 4: who signed a request to the local stack, checked before the emulator sees it.

The emulator takes an empty access key for root, checks no signature of its owner and reads credentials leniently.
Here one form of each signature is accepted, exactly as AWS's SDKs write it.
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
    """The request is not signed, or not by a key of this stack. Its text says what is wrong."""


@dataclass(frozen=True)
class SignedRequest:
    method: str
    path: str  # as it was sent, not decoded
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]  # names in lower case; a repeated header is joined by commas
    body: bytes = b""


@dataclass(frozen=True)
class Signature:
    """`parts` is the emulator's own form of a signature, which its calculation takes."""

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
    """The signature as it stands in the request; nothing is verified yet."""
    from ministack.core.sigv4 import HeaderSignature  # noqa: PLC0415  # the emulator is imported after its settings are made

    header = request.headers.get("authorization", "")
    if is_presigned(request.query):
        if header:
            raise SignatureError("A presigned link takes no Authorization header. Send one or the other.")
        found = _presigned(request)
    else:
        match = _HEADER.fullmatch(header)
        if match is None:
            raise SignatureError("This request is not signed with an access key of this stack.")
        found = (*match.groups(), request.headers.get("x-amz-date", ""))
    parts = HeaderSignature(*found)
    signed = parts.signed_headers.split(";")
    loose = [name for name in request.headers if name.startswith("x-amz-") and name not in signed]
    if "host" not in signed or loose:
        raise SignatureError(f"These headers are not covered by the signature: {', '.join(loose) or 'host'}.")
    return Signature(parts.access_key_id, parts.service, is_presigned(request.query), parts)


def _presigned(request: SignedRequest) -> tuple[str, ...]:
    values = [request.query.get(name, []) for name in _QUERY]
    if any(len(value) != 1 for value in values):
        raise SignatureError("This link is not signed as a whole.")
    algorithm, credential, date, expires, signed, signature = (value[0] for value in values)
    found = _HEADER.fullmatch(f"{algorithm} Credential={credential}, SignedHeaders={signed}, Signature={signature}")
    if found is None or found[4] != "s3" or not expires.isdecimal() or not 0 < int(expires) <= _WEEK:
        raise SignatureError("This link is not signed with an access key of this stack.")
    return (*found.groups(), date)


def verify_signature(request: SignedRequest, signature: Signature, credentials: Credentials) -> None:
    from ministack.core import sigv4  # noqa: PLC0415  # as above

    if signature.presigned:
        token = request.query.get("X-Amz-Security-Token", [""])[-1]
        try:
            late = sigv4.presigned_request_is_expired(signature.parts.amz_date, request.query["X-Amz-Expires"][0])
        except ValueError:
            late = True
        failure = ("RequestExpired", "The link has expired. Ask for a new one.") if late else None
    else:
        token = request.headers.get("x-amz-security-token", "")
        failure = sigv4.request_time_failure(signature.parts) or _body_failure(request)
    if not hmac.compare_digest(token.encode(), credentials.token.encode()):
        failure = ("InvalidToken", "The session token is not the one that belongs to this access key.")
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
    """The signature covers this hash; the hash must be that of the body."""
    said = request.headers.get("x-amz-content-sha256", "")
    is_hash = bool(re.fullmatch(r"[0-9a-f]{64}", said))
    if is_hash and said != hashlib.sha256(request.body).hexdigest():
        return "XAmzContentSHA256Mismatch", "The body is not the one that was signed."
    return None


def find_credentials(key: str) -> Credentials:
    """The owner's key, which is made at each start, or temporary credentials that this process issued."""
    from ministack.services import sts  # noqa: PLC0415  # as above

    if key == os.environ["AWS_ACCESS_KEY_ID"]:
        return Credentials(os.environ["AWS_SECRET_ACCESS_KEY"], is_owner=True)
    session = sts._sessions.get(key)
    if session is None or session.get("Expiration", math.inf) < time.time():
        raise SignatureError("This key is not known here; .local/admin.env has the one of this stack.")
    return Credentials(session["SecretAccessKey"], session.get("SessionToken") or "")
