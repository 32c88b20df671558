"""A local web server with prepared responses."""

import gzip
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"<html><body><p>hello</p></body></html>"
Answer = Callable[[BaseHTTPRequestHandler], None]


def sends(body: bytes = PAGE, status: int = 200, **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content_Type": "text/html", **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def packed(body: bytes) -> Answer:
    return sends(gzip.compress(body), Content_Encoding="gzip")


def to(place: str) -> Answer:
    return sends(b"", 302, Location=place)


def for_ever(piece: bytes, *, head: bytes = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n") -> Answer:
    """Send the piece until the client closes the connection."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(head)
        try:
            while True:
                handler.wfile.write(piece)
        except OSError:
            handler.close_connection = True

    return answer


def silence(head: bytes) -> Answer:
    """Send some bytes, then wait until the client closes the connection."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(head)
        handler.wfile.flush()
        handler.rfile.read(1)
        handler.close_connection = True

    return answer


@contextmanager
def web(pages: dict[str, Answer]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.server.asked.append(dict(self.headers))  # type: ignore[attr-defined]
            pages.get(self.path, sends(b"", 404))(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked = []  # type: ignore[attr-defined]
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        serving.join()
