"""A model's server on this machine, which answers by a script: as it should, or in one of many bad ways.

    with model_server(status(429), ok({"a": 1})) as server:
        ... ask server.url, or server.root for Bedrock; then look at server.requests

It speaks /chat/completions, /responses and Bedrock's /model/{id}/converse. A behaviour is a callable from a request to
a reply, so a model that reads what it is told is a function; the last of the script stays for ever.
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
TICKS_MAX = 500  # a drip ends by itself in the end, so that what fails to hang up fails and does not hang
MODEL = "served-model"
TOKENS = (11, 7)


@dataclass(frozen=True)
class Asked:
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
        """(role, text) of what came after the system's words."""
        if self.api == "bedrock":
            return [(m["role"], "".join(block["text"] for block in m["content"])) for m in self.body["messages"]]
        said = self.body["messages"][1:] if self.api == "chat" else self.body["input"]
        return [(m["role"], m["content"]) for m in said]


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    cut: int = 0  # so many bytes of what was promised are not sent

    def write(self, to: BaseHTTPRequestHandler, _over: threading.Event) -> None:
        to.send_response(self.status)
        for name, value in self.headers.items():
            to.send_header(name, value)
        to.send_header("Content-Length", str(len(self.body)))
        to.end_headers()
        to.wfile.write(self.body[: len(self.body) - self.cut])


@dataclass(frozen=True)
class Stream:
    """Raw bytes, then a piece at each tick until the other side hangs up; no piece: silence."""

    head: bytes
    piece: bytes = b""

    def write(self, to: BaseHTTPRequestHandler, over: threading.Event) -> None:
        to.wfile.write(self.head)
        for _ in range(TICKS_MAX):
            if over.wait(TICK_SECONDS):
                return
            to.wfile.write(self.piece)


Behaviour = Callable[[Asked], Reply | Stream]


def reply(body: Any, status: int = 200, **headers: str) -> Reply:
    named = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, body if isinstance(body, bytes) else json.dumps(body).encode(), named)


def said(
    asked: Asked, text: str, *, ends: str = "", refusal: str = "", tokens: tuple[int, int] = TOKENS, tool: bool = True
) -> Reply:
    """An answer as the API that was asked gives it; `ends`: length or filter. Bedrock puts JSON into a forced tool."""
    if asked.api == "chat":
        reason = {"length": "length", "filter": "content_filter"}.get(ends, "stop")
        message = {"role": "assistant", "content": text, "refusal": refusal or None}
        usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return reply(_named("chat.completion") | {"choices": [choice], "usage": usage})
    if asked.api == "responses":
        part = {"type": "refusal", "refusal": refusal} if refusal else {"type": "output_text", "text": text}
        why = {"length": "max_output_tokens", "filter": "content_filter"}.get(ends)
        thought = {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "hm"}]}
        output = [thought, {"type": "message", "role": "assistant", "content": [part]}]
        usage = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
        ended = {"status": "incomplete" if why else "completed", "incomplete_details": {"reason": why} if why else None}
        return reply(_named("response") | ended | {"output": output, "usage": usage})
    return _conversed(asked, text, ends, tokens, tool=tool)


def _named(kind: str) -> dict[str, Any]:
    return {"id": "1", "object": kind, "created": 1, "model": MODEL}


def _conversed(asked: Asked, text: str, ends: str, tokens: tuple[int, int], *, tool: bool) -> Reply:
    reason = {"length": "max_tokens", "filter": "content_filtered"}.get(ends, ends or "end_turn")
    content: list[dict[str, Any]] = [{"text": text}] if text else []
    if tool and "toolConfig" in asked.body and text.startswith("{") and not ends:
        name = asked.body["toolConfig"]["tools"][0]["toolSpec"]["name"]
        content = [{"toolUse": {"toolUseId": "t1", "name": name, "input": json.loads(text)}}]
        reason = "tool_use"
    usage = {"inputTokens": tokens[0], "outputTokens": tokens[1], "totalTokens": sum(tokens)}
    message = {"role": "assistant", "content": content}
    return reply({"output": {"message": message}, "stopReason": reason, "usage": usage, "metrics": {"latencyMs": 1}})


def ok(payload: Mapping[str, Any], **more: Any) -> Behaviour:
    return says(json.dumps(payload, ensure_ascii=False), **more)


def says(text: str, **more: Any) -> Behaviour:
    return lambda asked: said(asked, text, **more)


def sends(body: Any, number: int = 200, **headers: str) -> Behaviour:
    return lambda _asked: reply(body, number, **headers)


def status(number: int, message: str = "no", *, code: str = "", **headers: str) -> Behaviour:
    """An error as each API words it; `code` is Bedrock's exception, or OpenAI's error code."""

    def behave(asked: Asked) -> Reply:
        if asked.api == "bedrock":
            return reply({"message": message}, number, x_amzn_ErrorType=code or "Unknown", **headers)
        told = {"message": message, "type": "some_error", "code": code or None, "param": None}
        return reply({"error": told}, number, **headers)

    return behave


def html(number: int = 200) -> Behaviour:
    return lambda _asked: Reply(number, b"<html><body>Welcome</body></html>", {"Content-Type": "text/html"})


def cut(behaviour: Behaviour, missing: int = 9) -> Behaviour:
    """The connection ends before the answer does."""

    def behave(asked: Asked) -> Reply:
        whole = behaviour(asked)
        assert isinstance(whole, Reply)
        return Reply(whole.status, whole.body, whole.headers, missing)

    return behave


def packed(behaviour: Behaviour) -> Behaviour:
    """As gzip, which nobody asked for."""

    def behave(asked: Asked) -> Reply:
        whole = behaviour(asked)
        assert isinstance(whole, Reply)
        return Reply(whole.status, gzip.compress(whole.body), {**whole.headers, "Content-Encoding": "gzip"})

    return behave


def padded(behaviour: Behaviour, spaces: int) -> Behaviour:
    """The answer, and then so many spaces."""

    def behave(asked: Asked) -> Reply:
        whole = behaviour(asked)
        assert isinstance(whole, Reply)
        return Reply(whole.status, whole.body + b" " * spaces, whole.headers)

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
    """Without a word."""
    return lambda _asked: _Gone(b"")


class _Gone(Stream):
    def write(self, to: BaseHTTPRequestHandler, _over: threading.Event) -> None:
        to.wfile.write(self.head)


def raw(head: bytes) -> Behaviour:
    """These bytes and the end of the connection."""
    return lambda _asked: _Gone(head)


@dataclass
class Server:
    root: str
    requests: list[Asked] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.root}/v1"


@contextmanager
def model_server(*script: Behaviour) -> Iterator[Server]:
    left, lock, over = list(script), threading.Lock(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            asked = _read(self)
            with lock:
                server.requests.append(asked)
                behaviour = left.pop(0) if len(left) > 1 else left[0]
            self.close_connection = True
            with contextlib.suppress(OSError):  # the other side has had enough
                behaviour(asked).write(self, over)

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


def _read(handler: BaseHTTPRequestHandler) -> Asked:
    body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    headers = {name.lower(): value for name, value in handler.headers.items()}
    return Asked(handler.command, handler.path, headers, json.loads(body) if body else None)


def unused_address() -> str:
    """Where nobody listens."""
    with model_server(silent()) as server:
        return server.url
