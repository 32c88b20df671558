"""The gateway in front of the emulator: who may call what on this machine, before the emulator sees a request.

Three kinds of requests pass. Calls of the API and the page, on 127.0.0.1, which check tokens themselves. Calls of AWS's
services, signed with a key of this stack. Presigned links to files, on localhost: another host than the page's, so
that a file that a browser shows is of another origin than the page.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

from stack.peers import is_of_this_user
from stack.role_rights import refusal_for_role
from stack.signatures import (
    SignatureError,
    SignedRequest,
    find_credentials,
    is_presigned,
    read_signature,
    verify_signature,
)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

API = "/_aws/execute-api/"
_ADMINISTRATION = ("/_ministack", "/_localstack", "/_aws")  # of the emulator, such as to wipe everything
PAGE_HOST, FILES_HOST = "127.0.0.1", "localhost"
BODY_MAX = 10 * 1024 * 1024  # of a call of the API, as on AWS
READS = ("GET", "HEAD", "OPTIONS")
TABLE_READS = ("GetItem", "BatchGetItem", "Query")
_QUERY_SERVICES = ("cloudformation", "iam", "sts")
_ONCE = ("host", "authorization", "content-type", "content-length")
# Not the address itself: a path that other ports of this machine do not know keeps the page's cookie from them.
_HINT = "Read→Do answers at the address that make run prints. This one takes calls signed with the stack's own key."
_PREFLIGHT = [
    (b"access-control-allow-methods", b"PUT"),
    (b"access-control-allow-headers", b"content-type"),
    (b"access-control-max-age", b"600"),
    (b"vary", b"origin"),
]


class Answered(Exception):
    """The request is answered here and goes no further."""

    def __init__(self, status: int, headers: Headers, body: bytes = b"") -> None:
        super().__init__(status, body)
        self.status, self.headers, self.body = status, headers, body


class Refusal(Answered):
    """In the form in which AWS's SDKs read an error of that service."""

    def __init__(self, message: str, status: int = 403, service: str = "") -> None:
        body = f"<Error><Code>AccessDenied</Code><Message>{escape(message)}</Message></Error>"
        if service in _QUERY_SERVICES:
            body = f"<ErrorResponse>{body}</ErrorResponse>"
        elif service != "s3":
            body = json.dumps({"__type": "AccessDeniedException", "message": message})
        kind = b"application/json" if body.startswith("{") else b"application/xml"
        super().__init__(status, [(b"content-type", kind)], body.encode())


class Guard:
    def __init__(self, app: App, port: int) -> None:
        self.app = app
        self.port = port
        self.api_id = ""  # known once the template is deployed
        self.changes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":  # a websocket, which nothing in the product uses
            await send({"type": "websocket.close", "code": 1008})
        else:
            try:
                receive, send = await self._admit(scope, receive, send)
            except Answered as answer:
                length = (b"content-length", str(len(answer.body)).encode())
                start = {"type": "http.response.start", "status": answer.status, "headers": [*answer.headers, length]}
                await send(start)
                await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})
                return
            try:
                await self.app(scope, receive, send)
            finally:
                # Counted after: a snapshot taken in the middle of a request must be followed by another.
                self.changes += not only_reads(scope)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
        if not is_of_this_user(scope["client"], scope["server"]):
            raise Refusal("This local stack belongs to another user of this machine.")
        request = _request(scope)
        host = self._host(request)
        if request.path.startswith(API):
            self._admit_api(scope, request, host)
            return _limited(receive), send
        if scope["path"].startswith(_ADMINISTRATION):
            raise Refusal("Not available on the local stack.")
        origin = request.headers.get("origin", "")
        page = f"http://{self._at(PAGE_HOST)}"
        to_file = is_presigned(request.query)
        if origin and (not to_file or origin != page):
            raise Refusal("Web pages may not call the local stack.")
        if to_file and host != FILES_HOST:
            raise Refusal(f"Links to files lead to {self._at(FILES_HOST)}.", service="s3")
        if request.method == "OPTIONS":
            if not (to_file and origin):
                raise Refusal("Web pages may not call the local stack.")
            raise Answered(204, [*_PREFLIGHT, (b"access-control-allow-origin", origin.encode("latin-1"))])
        return await _verified(request, receive), _with_origin(send, origin)

    def _host(self, request: SignedRequest) -> str:
        """A website can point a name of its own at 127.0.0.1; and the emulator routes by the host's name."""
        sent = request.headers.get("host", "").lower()
        for host in (PAGE_HOST, FILES_HOST):
            if sent == self._at(host):
                return host
        raise Refusal(f"This is a local stack; it does not answer to the name {sent}.")

    def _at(self, host: str) -> str:
        return host if self.port == 80 else f"{host}:{self.port}"

    def _admit_api(self, scope: Scope, request: SignedRequest, host: str) -> None:
        if host != PAGE_HOST:
            query = scope["query_string"].decode("latin-1")
            to = f"http://{self._at(PAGE_HOST)}{request.path}" + (f"?{query}" if query else "")
            raise Answered(307, [(b"location", to.encode("latin-1"))], f"Read→Do answers at {to}\n".encode())
        own = f"{API}{self.api_id}"
        # Both forms of the path: the emulator routes by the decoded one.
        if not self.api_id or any(
            path != own and not path.startswith(f"{own}/") for path in (request.path, scope["path"])
        ):
            raise Refusal("There is no such API here.", status=404)
        if is_presigned(request.query) or request.headers.get("authorization", "").startswith("AWS"):
            raise Refusal("The API takes a token, not a signature.")
        if int(request.headers.get("content-length") or 0) > BODY_MAX:
            raise Refusal("The body is larger than the gateway takes.", status=413)
        scope["headers"] = [(k, v) for k, v in scope["headers"] if k.lower() != b"x-amz-target"]


def _request(scope: Scope) -> SignedRequest:
    headers: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        if name in headers and (name in _ONCE or name.startswith("x-amz-")):
            raise Refusal(f"The header {name} is there more than once.", status=400)
        headers[name] = f"{headers[name]},{value.decode('latin-1')}" if name in headers else value.decode("latin-1")
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return SignedRequest(scope["method"], scope["raw_path"].decode("latin-1"), query, headers)


async def _verified(request: SignedRequest, receive: Receive) -> Receive:
    """The body, read once and given on as it came. An unknown key is refused before anything is read."""
    if not request.headers.get("authorization") and not is_presigned(request.query):
        raise Refusal(_HINT)
    service = ""
    messages: list[Message] = []
    try:
        signature = read_signature(request)
        service = signature.service
        credentials = find_credentials(signature.key)
        if not signature.presigned:
            messages = await _whole(receive)
            request = replace(request, body=b"".join(message.get("body", b"") for message in messages))
        verify_signature(request, signature, credentials)
    except SignatureError as error:
        raise Refusal(str(error), service=service) from error
    if not credentials.is_owner and (reason := refusal_for_role(service, signature.key, request)):
        raise Refusal(reason, service=service)
    return _again(messages, receive)


def _limited(receive: Receive) -> Receive:
    """A body that comes in pieces without a length is cut off at the limit, as if its sender had gone."""
    taken = 0

    async def next_message() -> Any:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return message if taken <= BODY_MAX else {"type": "http.disconnect"}

    return next_message


async def _whole(receive: Receive) -> list[Message]:
    messages: list[Message] = []
    while not messages or messages[-1].get("more_body"):
        messages.append(await receive())
    return messages


def _again(messages: Iterable[Message], receive: Receive) -> Receive:
    waiting = iter(messages)

    async def next_message() -> Any:
        return next(waiting, None) or await receive()

    return next_message


def _with_origin(send: Send, origin: str) -> Send:
    """The emulator lets every website read its answers; here the own page may read those about its uploads."""
    own: Headers = [(b"x-content-type-options", b"nosniff")]
    if origin:
        own += [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin")]

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [(k, v) for k, v in message["headers"] if not k.lower().startswith(b"access-control-")]
            message = {**message, "headers": [*kept, *own]}
        await send(message)

    return sent


def only_reads(scope: Scope) -> bool:
    """DynamoDB is asked with POST, whatever is asked."""
    targets = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"x-amz-target"]
    return scope["method"] in READS or any(
        target.startswith("DynamoDB_") and target.endswith(tuple(f".{name}" for name in TABLE_READS))
        for target in targets
    )
