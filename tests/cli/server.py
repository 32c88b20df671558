"""A server on a loopback port: it speaks the API over real sockets, remembers what it was asked, and can misbehave."""

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
from .wire import Asked, Reply, refusal

TOKEN = "rdo_secret"
DATE = "Wed, 18 Nov 2026 13:00:00 GMT"
DROP, LOSE = "drop", "lose"  # before it is done; after it, with the answer lost


@dataclass
class Fault:
    """The next request of this method whose path has this in it meets this, as often as said."""

    what: str | Reply
    method: str = ""
    path: str = ""
    times: int = 1

    def meets(self, asked: Asked) -> bool:
        found = self.times > 0 and self.method in ("", asked.method) and self.path in asked.path
        self.times -= found
        return found


@dataclass
class Server:
    product: Product
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    date: str = DATE
    broken: list[Exception] = field(default_factory=list)  # what is wrong with this double itself

    def calls(self, method: str = "", path: str = "") -> list[Asked]:
        return [a for a in self.asked if method in ("", a.method) and path in a.path]

    @property
    def writes(self) -> list[Asked]:
        return [a for a in self.asked if a.method != "GET"]

    def answer(self, asked: Asked) -> Reply | None:
        """`None` drops the connection."""
        self.asked.append(asked)
        fault = next((fault for fault in self.faults if fault.meets(asked)), None)
        if fault and isinstance(fault.what, Reply):
            return fault.what
        if fault and fault.what == DROP:
            return None
        try:
            reply = self._allowed(asked) or self.product.answer(asked)
        except Exception as error:
            self.broken.append(error)
            return None
        return None if fault else reply

    def _allowed(self, asked: Asked) -> Reply | None:
        if asked.path.startswith("/blob/"):
            return None
        if asked.headers.get("Authorization") != f"Bearer {TOKEN}":
            return refusal(401, "UNAUTHENTICATED", "The token is unknown, or it has ended.")
        return None


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client that has seen enough hangs up: that is what some of the tests are about."""


@contextmanager
def serving(product: Product) -> Iterator[Server]:
    server = Server(product)
    http = Quiet(("127.0.0.1", 0), _handler(server.answer, lambda: server.date))
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


def _handler(answer: Callable[[Asked], Reply | None], date: Callable[[], str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            size = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(size) if size else b""
            query = parse_qs(parts.query)
            is_file = self.command == "PUT" and parts.path.startswith("/blob/")
            said = None if is_file else _read(body)
            reply = answer(Asked(self.command, unquote(parts.path), query, _plain(self.headers), said, body))
            self.close_connection = reply is None
            if reply is not None:
                self._send(reply)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815 - the base class finds them so

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


def _plain(headers: Message) -> dict[str, str]:
    return dict(headers.items())


def _read(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None  # a file
