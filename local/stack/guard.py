"""The door in front of ministack: it counts changes, and refuses what only ministack's own tests need.

Its pages (`/_ministack/reset` wipes everything) ask for no credentials, so any website that is open in a browser on
this machine could post to them. A name other than ours in Host is a website that points at 127.0.0.1. And the key
`test`, or any account's number, is root there with whatever secret: the owner's own key is random instead.
"""

import json
import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
KeyOf = Callable[[dict[str, str], dict[str, list[str]]], str]

API = "/_aws/execute-api/"
ADMIN = ("/_ministack", "/_localstack", "/_aws")
READS = ("GET", "HEAD", "OPTIONS")
TABLE_READS = ("GetItem", "BatchGetItem", "Query")
_HINT = "its calls are at /docs there. This is the local stack's own door, which takes calls signed with its key."
WELL_KNOWN = re.compile(r"test|\d{12}")


class Guard:
    """`key_of` is ministack's own reading of a request's access key: the door must see what the house sees."""

    def __init__(self, app: App, key_of: KeyOf) -> None:
        self.app = app
        self.key_of = key_of
        self.changes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http" or (reason := self.refusal(scope)):
            await refuse(send, reason if scope["type"] == "http" else None)
        else:
            try:
                await self.app(scope, receive, send)
            finally:
                # Counted after: a snapshot taken in the middle of a request must be followed by another.
                self.changes += not only_reads(scope)

    def refusal(self, scope: Scope) -> str | None:
        path = scope["path"]
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        host = headers.get("host", "").rsplit(":", 1)[0].lower()
        if not (host in ("127.0.0.1", "localhost") or host.endswith(".localhost")):
            return f"This is a local stack; it does not answer to the name {host}."
        if path.startswith(ADMIN) and not path.startswith(API):
            return "Not available on the local stack."
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        signed = "authorization" in headers or any(name.lower() == "x-amz-signature" for name in query)
        if not path.startswith(API) and not signed:
            return (
                f"Read→Do answers at {os.environ.get('READDO_PUBLIC_URL', 'the address that make run prints')}; {_HINT}"
            )
        if WELL_KNOWN.fullmatch(self.key_of(headers, query)):
            return "This key is not known here; .local/admin.env has the one of this stack."
        return None


def only_reads(scope: Scope) -> bool:
    """DynamoDB is asked with POST, whatever is asked."""
    targets = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"x-amz-target"]
    return scope["method"] in READS or any(
        target.startswith("DynamoDB_") and target.endswith(tuple(f".{name}" for name in TABLE_READS))
        for target in targets
    )


async def refuse(send: Send, reason: str | None) -> None:
    if reason is None:  # a websocket, which nothing in the product uses
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"message": reason}).encode()})
