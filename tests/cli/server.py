"""A server on a loopback port that speaks the API over sockets, records requests and simulates faults."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from .product import Product
from .wire import Reply, Request, refusal

TOKEN = "rdo_secret"
DATE = "Wed, 18 Nov 2026 13:00:00 GMT"
DROP, LOSE = "drop", "lose"  # drop the request; process it and lose the response


@dataclass
class Fault:
    """A fault for the next requests with this method and path, up to `times` times."""

    what: str | Reply
    method: str = ""
    path: str = ""
    times: int = 1

    def applies_to(self, request: Request) -> bool:
        is_hit = self.times > 0 and self.method in ("", request.method) and self.path in request.path
        self.times -= is_hit
        return is_hit


@dataclass
class Server:
    product: Product
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    date: str = DATE
    broken: list[Exception] = field(default_factory=list)  # exceptions of this fake server itself

    def calls(self, method: str = "", path: str = "") -> list[Request]:
        return [a for a in self.requests if method in ("", a.method) and path in a.path]

    @property
    def writes(self) -> list[Request]:
        return [a for a in self.requests if a.method != "GET"]

    def answer(self, request: Request) -> Reply | None:
        """Return the response; `None` drops the connection."""
        self.requests.append(request)
        fault = next((fault for fault in self.faults if fault.applies_to(request)), None)
        if fault and isinstance(fault.what, Reply):
            return fault.what
        if fault and fault.what == DROP:
            return None
        try:
            reply = self._allowed(request) or self.product.answer(request)
        except Exception as error:
            self.broken.append(error)
            return None
        return None if fault else reply

    def _allowed(self, request: Request) -> Reply | None:
        if request.path.startswith("/blob/"):
            return None
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return refusal(401, "UNAUTHENTICATED", "The token is unknown, or it has ended.")
        return None


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Ignore clients that hang up early; some tests do so on purpose."""


@contextmanager
def serving(product: Product) -> Iterator[Server]:
    server = Server(product)
    http = QuietServer(("127.0.0.1", 0), _handler(server.answer, lambda: server.date))
    server.url = f"http://127.0.0.1:{http.server_address[1]}"
    product.home = product.desk.home = server.url
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def _handler(answer: Callable[[Request], Reply | None], date: Callable[[], str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            size = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(size) if size else b""
            query = parse_qs(parts.query)
            is_file = self.command == "PUT" and parts.path.startswith("/blob/")
            parsed = None if is_file else _read(body)
            reply = answer(Request(self.command, unquote(parts.path), query, _as_dict(self.headers), parsed, body))
            self.close_connection = reply is None
            if reply is not None:
                self._send(reply)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815 - names that the base class calls

        def _send(self, reply: Reply) -> None:
            body = reply.bytes()
            self.send_response_only(reply.status)
            for name, value in {"Date": date(), "Content-Length": str(len(body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


def _as_dict(headers: Message) -> dict[str, str]:
    return dict(headers.items())


def _read(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None  # an uploaded file
