"""Local webhook receiver: answers as configured and keeps the requests that it received."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from support.serving import serving


@dataclass
class Sent:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    port: int = 0
    answers: list[tuple[int, bytes, dict[str, str]]] = field(default_factory=list)  # the last one repeats
    sent: list[Sent] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def will_answer(self, *statuses: int, body: bytes = b"", **headers: str) -> None:
        self.answers = [(status, body, headers) for status in statuses]

    def next(self) -> tuple[int, bytes, dict[str, str]]:
        if not self.answers:
            return 204, b"", {}
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def forget(self) -> None:
        self.answers.clear()
        self.sent.clear()


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            receiver.sent.append(Sent(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            status, answer, headers = receiver.next()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with serving(Handler) as port:
        receiver.port = port
        yield receiver
