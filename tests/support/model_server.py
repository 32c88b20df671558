"""Local model server that answers by a script: correctly, or with one of many faults.

    with model_server(status(429), ok({"a": 1})) as server:
        ... call server.url, or server.root for Bedrock; then check server.requests

It implements /chat/completions, /responses and Bedrock's /model/{id}/converse. A behaviour maps a request to a reply,
so a model that depends on its prompt is a function. The last behaviour of the script is used for all later requests.
"""

import contextlib
import gzip
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TICK_SECONDS = 0.02
TICKS_MAX = 500  # a drip ends at last, so that a client that never hangs up fails the test and does not block it
MODEL = "served-model"
TOKENS = (11, 7)


@dataclass(frozen=True)
class ModelRequest:
    method: str
    path: str
    headers: Mapping[str, str]  # names in lower case
    body: Any  # parsed

    @property
    def api(self) -> str:
        last = self.path.split("?")[0].rsplit("/", 1)[-1]
        return {"completions": "chat", "responses": "responses", "converse": "bedrock"}.get(last, "unknown")

    @property
    def system(self) -> str:
        if self.api == "chat":
            return str(self.body["messages"][0]["content"])
        if self.api == "responses":
            return str(self.body["instructions"])
        return "".join(block["text"] for block in self.body["system"])

    @property
    def turns(self) -> list[tuple[str, str]]:
        """Return (role, text) of each message after the system prompt."""
        if self.api == "bedrock":
            return [(m["role"], "".join(block["text"] for block in m["content"])) for m in self.body["messages"]]
        messages = self.body["messages"][1:] if self.api == "chat" else self.body["input"]
        return [(m["role"], m["content"]) for m in messages]


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    cut: int = 0  # how many bytes of the declared length are not sent

    def write(self, to: BaseHTTPRequestHandler, _over: threading.Event) -> None:
        to.send_response(self.status)
        for name, value in self.headers.items():
            to.send_header(name, value)
        to.send_header("Content-Length", str(len(self.body)))
        to.end_headers()
        to.wfile.write(self.body[: len(self.body) - self.cut])


@dataclass(frozen=True)
class Stream:
    """Raw bytes, then a piece at each tick until the client hangs up; an empty piece means silence."""

    head: bytes
    piece: bytes = b""

    def write(self, to: BaseHTTPRequestHandler, over: threading.Event) -> None:
        to.wfile.write(self.head)
        for _ in range(TICKS_MAX):
            if over.wait(TICK_SECONDS):
                return
            to.wfile.write(self.piece)


Behaviour = Callable[[ModelRequest], Reply | Stream]


def reply(body: Any, status: int = 200, **headers: str) -> Reply:
    named = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, body if isinstance(body, bytes) else json.dumps(body).encode(), named)


def model_answer(
    request: ModelRequest,
    text: str,
    *,
    ends: str = "",
    refusal: str = "",
    tokens: tuple[int, int] = TOKENS,
    tool: bool = True,
) -> Reply:
    """Return an answer in the format of the called API.

    `ends` is `length` or `filter`. Bedrock puts JSON into a forced tool.
    """
    if request.api == "chat":
        reason = {"length": "length", "filter": "content_filter"}.get(ends, "stop")
        message = {"role": "assistant", "content": text, "refusal": refusal or None}
        usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return reply(_response_head("chat.completion") | {"choices": [choice], "usage": usage})
    if request.api == "responses":
        part = {"type": "refusal", "refusal": refusal} if refusal else {"type": "output_text", "text": text}
        why = {"length": "max_output_tokens", "filter": "content_filter"}.get(ends)
        thought = {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "hm"}]}
        output = [thought, {"type": "message", "role": "assistant", "content": [part]}]
        usage = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
        ended = {"status": "incomplete" if why else "completed", "incomplete_details": {"reason": why} if why else None}
        return reply(_response_head("response") | ended | {"output": output, "usage": usage})
    return _bedrock_reply(request, text, ends, tokens, tool=tool)


def _response_head(kind: str) -> dict[str, Any]:
    return {"id": "1", "object": kind, "created": 1, "model": MODEL}


def _bedrock_reply(request: ModelRequest, text: str, ends: str, tokens: tuple[int, int], *, tool: bool) -> Reply:
    reason = {"length": "max_tokens", "filter": "content_filtered"}.get(ends, ends or "end_turn")
    content: list[dict[str, Any]] = [{"text": text}] if text else []
    if tool and "toolConfig" in request.body and text.startswith("{") and not ends:
        name = request.body["toolConfig"]["tools"][0]["toolSpec"]["name"]
        content = [{"toolUse": {"toolUseId": "t1", "name": name, "input": json.loads(text)}}]
        reason = "tool_use"
    usage = {"inputTokens": tokens[0], "outputTokens": tokens[1], "totalTokens": sum(tokens)}
    message = {"role": "assistant", "content": content}
    return reply({"output": {"message": message}, "stopReason": reason, "usage": usage, "metrics": {"latencyMs": 1}})


def ok(payload: Mapping[str, Any], **more: Any) -> Behaviour:
    return text_response(json.dumps(payload, ensure_ascii=False), **more)


def text_response(text: str, **more: Any) -> Behaviour:
    return lambda request: model_answer(request, text, **more)


def sends(body: Any, number: int = 200, **headers: str) -> Behaviour:
    return lambda _asked: reply(body, number, **headers)


def status(number: int, message: str = "no", *, code: str = "", **headers: str) -> Behaviour:
    """Answer with an error in the format of each API.

    `code` is Bedrock's exception or OpenAI's error code.
    """

    def behave(request: ModelRequest) -> Reply:
        if request.api == "bedrock":
            return reply({"message": message}, number, x_amzn_ErrorType=code or "Unknown", **headers)
        error = {"message": message, "type": "some_error", "code": code or None, "param": None}
        return reply({"error": error}, number, **headers)

    return behave


def html(number: int = 200) -> Behaviour:
    return lambda _asked: Reply(number, b"<html><body>Welcome</body></html>", {"Content-Type": "text/html"})


def cut(behaviour: Behaviour, missing: int = 9) -> Behaviour:
    """Close the connection before the answer is complete."""

    def behave(request: ModelRequest) -> Reply:
        complete = behaviour(request)
        assert isinstance(complete, Reply)
        return Reply(complete.status, complete.body, complete.headers, missing)

    return behave


def packed(behaviour: Behaviour) -> Behaviour:
    """Compress the answer as gzip, which the client did not request."""

    def behave(request: ModelRequest) -> Reply:
        complete = behaviour(request)
        assert isinstance(complete, Reply)
        return Reply(complete.status, gzip.compress(complete.body), {**complete.headers, "Content-Encoding": "gzip"})

    return behave


def padded(behaviour: Behaviour, spaces: int) -> Behaviour:
    """Append spaces to the answer."""

    def behave(request: ModelRequest) -> Reply:
        complete = behaviour(request)
        assert isinstance(complete, Reply)
        return Reply(complete.status, complete.body + b" " * spaces, complete.headers)

    return behave


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def silent() -> Behaviour:
    return lambda _asked: Stream(b"")


def drip_headers() -> Behaviour:
    return lambda _asked: Stream(_HEAD, b"X-More: 1\r\n")


def drip_body() -> Behaviour:
    return lambda _asked: Stream(_HEAD + b"\r\n", b" ")


def drip_chunks() -> Behaviour:
    return lambda _asked: Stream(_HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n")


def hangs_up() -> Behaviour:
    """Close the connection without an answer."""
    return lambda _asked: _Closing(b"")


class _Closing(Stream):
    def write(self, to: BaseHTTPRequestHandler, _over: threading.Event) -> None:
        to.wfile.write(self.head)


def raw(head: bytes) -> Behaviour:
    """Send these bytes and close the connection."""
    return lambda _asked: _Closing(head)


@dataclass
class Server:
    root: str
    requests: list[ModelRequest] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.root}/v1"


@contextmanager
def model_server(*script: Behaviour) -> Iterator[Server]:
    remaining, lock, over = list(script), threading.Lock(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            request = _read(self)
            with lock:
                server.requests.append(request)
                behaviour = remaining.pop(0) if len(remaining) > 1 else remaining[0]
            self.close_connection = True
            with contextlib.suppress(OSError):  # the client hung up
                behaviour(request).write(self, over)

        do_GET = do_POST  # noqa: N815 -- http.server's own name

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server = Server(f"http://127.0.0.1:{http.server_port}")
    serving = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    serving.start()
    try:
        yield server
    finally:
        over.set()
        http.shutdown()
        http.server_close()
        serving.join()


def _read(handler: BaseHTTPRequestHandler) -> ModelRequest:
    body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    headers = {name.lower(): value for name, value in handler.headers.items()}
    return ModelRequest(handler.command, handler.path, headers, json.loads(body) if body else None)


def unused_address() -> str:
    """Return an address where no server listens."""
    with model_server(silent()) as server:
        return server.url
