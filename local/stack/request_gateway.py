"""Gateway in front of the emulator that authorizes requests.

Three kinds of requests pass: calls of the API and the page on 127.0.0.1, which check tokens themselves; calls of AWS
services, signed with a key of this stack; and presigned links to files on localhost. Files have another host name than
the page, so that a browser treats them as another origin.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

from stack.connection_owner import is_of_this_user
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
_ADMINISTRATION = ("/_ministack", "/_localstack", "/_aws")  # admin calls of the emulator, such as reset
PAGE_HOST, FILES_HOST = "127.0.0.1", "localhost"
BODY_MAX = 10 * 1024 * 1024  # of a call of the API, as on AWS
READS = ("GET", "HEAD", "OPTIONS")
TABLE_READS = ("GetItem", "BatchGetItem", "Query")
_QUERY_SERVICES = ("cloudformation", "iam", "sts")
_ONCE = ("host", "authorization", "content-type", "content-length")
# Without the address: its path is not known to other ports of this machine, which keeps the page's cookie from them.
_HINT = "Open the address that `make run` printed. This address accepts only calls signed with the stack's key."
_PREFLIGHT = [
    (b"access-control-allow-methods", b"PUT"),
    (b"access-control-allow-headers", b"content-type"),
    (b"access-control-max-age", b"600"),
    (b"vary", b"origin"),
]


class Answered(Exception):
    """Response of the gateway itself; the request does not reach the emulator."""

    def __init__(self, status: int, headers: Headers, body: bytes = b"") -> None:
        super().__init__(status, body)
        self.status, self.headers, self.body = status, headers, body


class Refusal(Answered):
    """Error response in the format of the AWS service, as SDKs expect it."""

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
        elif scope["type"] != "http":  # a websocket, which the product does not use
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
                # Counted after the request: a snapshot taken during the request must be followed by another.
                self.changes += not only_reads(scope)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
        if not is_of_this_user(scope["client"], scope["server"]):
            raise Refusal("This local stack belongs to another user of this machine.")
        request = _request(scope)
        host = self._host(request)
        if request.path.startswith(API):
            self._admit_api(scope, request, host)
            return _limit_body(receive), send
        if scope["path"].startswith(_ADMINISTRATION):
            raise Refusal("Not available on the local stack.")
        origin = request.headers.get("origin", "")
        page = f"http://{self._at(PAGE_HOST)}"
        to_file = is_presigned(request.query)
        if origin and (not to_file or origin != page):
            raise Refusal("Web pages may not call the local stack.")
        if to_file and host != FILES_HOST:
            raise Refusal(f"Links to files work only on {self._at(FILES_HOST)}.", service="s3")
        if request.method == "OPTIONS":
            if not (to_file and origin):
                raise Refusal("Web pages may not call the local stack.")
            raise Answered(204, [*_PREFLIGHT, (b"access-control-allow-origin", origin.encode("latin-1"))])
        return await _verify(request, receive), _with_cors(send, origin)

    def _host(self, request: SignedRequest) -> str:
        """Return the host of the request if it is allowed.

        This prevents DNS rebinding, and the emulator's routing by host name.
        """
        host_header = request.headers.get("host", "").lower()
        for host in (PAGE_HOST, FILES_HOST):
            if host_header == self._at(host):
                return host
        raise Refusal(f"The local stack does not accept the host name {host_header}.")

    def _at(self, host: str) -> str:
        return host if self.port == 80 else f"{host}:{self.port}"

    def _admit_api(self, scope: Scope, request: SignedRequest, host: str) -> None:
        if host != PAGE_HOST:
            query = scope["query_string"].decode("latin-1")
            to = f"http://{self._at(PAGE_HOST)}{request.path}" + (f"?{query}" if query else "")
            raise Answered(307, [(b"location", to.encode("latin-1"))], f"Read→Do has moved to {to}\n".encode())
        own = f"{API}{self.api_id}"
        # Both forms of the path: the emulator routes by the decoded one.
        if not self.api_id or any(
            path != own and not path.startswith(f"{own}/") for path in (request.path, scope["path"])
        ):
            raise Refusal("This API does not exist.", status=404)
        if is_presigned(request.query) or request.headers.get("authorization", "").startswith("AWS"):
            raise Refusal("The API needs a token, not a signature.")
        if int(request.headers.get("content-length") or 0) > BODY_MAX:
            raise Refusal("The request body is larger than 10 MB.", status=413)
        scope["headers"] = [(k, v) for k, v in scope["headers"] if k.lower() != b"x-amz-target"]


def _request(scope: Scope) -> SignedRequest:
    headers: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        if name in headers and (name in _ONCE or name.startswith("x-amz-")):
            raise Refusal(f"The header {name} occurs more than once.", status=400)
        headers[name] = f"{headers[name]},{value.decode('latin-1')}" if name in headers else value.decode("latin-1")
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return SignedRequest(scope["method"], scope["raw_path"].decode("latin-1"), query, headers)


async def _verify(request: SignedRequest, receive: Receive) -> Receive:
    """Verify the signature and return the body unchanged.

    An unknown key is rejected before the body is read.
    """
    if not request.headers.get("authorization") and not is_presigned(request.query):
        raise Refusal(_HINT)
    service = ""
    messages: list[Message] = []
    try:
        signature = read_signature(request)
        service = signature.service
        credentials = find_credentials(signature.key)
        if not signature.presigned:
            messages = await _read_messages(receive)
            request = replace(request, body=b"".join(message.get("body", b"") for message in messages))
        verify_signature(request, signature, credentials)
    except SignatureError as error:
        raise Refusal(str(error), service=service) from error
    if not credentials.is_owner and (reason := refusal_for_role(service, signature.key, request)):
        raise Refusal(reason, service=service)
    return _replay(messages, receive)


def _limit_body(receive: Receive) -> Receive:
    """Limit a chunked body without a length: at the limit it ends as if the client had disconnected."""
    received = 0

    async def next_message() -> Any:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        return message if received <= BODY_MAX else {"type": "http.disconnect"}

    return next_message


async def _read_messages(receive: Receive) -> list[Message]:
    messages: list[Message] = []
    while not messages or messages[-1].get("more_body"):
        messages.append(await receive())
    return messages


def _replay(messages: Iterable[Message], receive: Receive) -> Receive:
    waiting = iter(messages)

    async def next_message() -> Any:
        return next(waiting, None) or await receive()

    return next_message


def _with_cors(send: Send, origin: str) -> Send:
    """Replace the emulator's CORS headers, which allow every website.

    Only our page may read the responses of its uploads.
    """
    own: Headers = [(b"x-content-type-options", b"nosniff")]
    if origin:
        own += [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin")]

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            other_headers = [(k, v) for k, v in message["headers"] if not k.lower().startswith(b"access-control-")]
            message = {**message, "headers": [*other_headers, *own]}
        await send(message)

    return sent


def only_reads(scope: Scope) -> bool:
    """Return true if the request changes nothing. DynamoDB uses POST for reads too."""
    targets = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"x-amz-target"]
    return scope["method"] in READS or any(
        target.startswith("DynamoDB_") and target.endswith(tuple(f".{name}" for name in TABLE_READS))
        for target in targets
    )
