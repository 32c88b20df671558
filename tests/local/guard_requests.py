"""Signed requests to the gateway of the local stack, and the gateway's answers."""

import asyncio
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from stack.request_gateway import Guard

KEY, SECRET = "LOCALKEY00000001", "owner-secret"
OWN, FILES = "http://127.0.0.1:4600", "http://localhost:4600"
JSON = {"Content-Type": "application/x-amz-json-1.0"}


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    changes: int
    seen_body: bytes = b""
    reached: bool = False
    seen_headers: dict[str, str] = field(default_factory=dict)


def _run(sending: Coroutine[Any, Any, Any]) -> Any:
    """Run in another thread: browser tests may have left an event loop in this one."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, sending).result()


def send(method: str, url: str, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Answer:
    """Send through the gateway to an application that, as the emulator does, allows every origin."""
    parts, answer = urlsplit(url), Answer(0, {}, b"", 0)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        answer.reached = True
        answer.seen_headers = {k.decode().lower(): v.decode() for k, v in scope["headers"]}
        answer.seen_body = (await receive()).get("body", b"")
        open_to_all = [(b"Access-Control-Allow-Origin", b"*")]
        await send({"type": "http.response.start", "status": 200, "headers": open_to_all})
        await send({"type": "http.response.body", "body": b"done"})

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def record(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {k.decode().lower(): v.decode() for k, v in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    guard = Guard(app, 4600)
    guard.api_id = "api1"
    scope = {
        "type": "http",
        "method": method,
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 4600),
        "query_string": parts.query.encode(),
        "headers": [(k.lower().encode(), v.encode()) for k, v in {"Host": parts.netloc, **(headers or {})}.items()],
    }
    _run(guard(scope, receive, record))
    answer.changes = guard.changes
    return answer


def sign(
    method: str,
    url: str,
    service: str = "dynamodb",
    body: bytes = b"{}",
    key: Credentials | None = None,
    **headers: str,
) -> dict[str, str]:
    """Return the headers that AWS's SDK sends."""
    request = AWSRequest(method, url, {**JSON, **{k.replace("_", "-"): v for k, v in headers.items()}}, body)
    signer = S3SigV4Auth if service == "s3" else SigV4Auth
    signer(key or Credentials(KEY, SECRET), service, "eu-central-1").add_auth(request)
    return dict(request.headers)


def link(method: str = "get_object", host: str = FILES, secret: str = SECRET, **ask: Any) -> str:
    s3 = boto3.client(
        "s3",
        endpoint_url=host,
        aws_access_key_id=KEY,
        aws_secret_access_key=secret,
        region_name="eu-central-1",
        config=Config(signature_version="v4"),
    )
    return str(s3.generate_presigned_url(method, Params={"Bucket": "bucket", "Key": "a/b c.txt"}, **ask))


def call(target: str, **more: Any) -> dict[str, str]:
    return sign("POST", f"{OWN}/", X_Amz_Target=target, **more)
