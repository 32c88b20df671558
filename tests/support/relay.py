"""HTTP relay to moto, which answers only calls of its own process."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests

SERVICE = re.compile(r"Credential=[^/]+/\d+/([\w-]+)/([\w-]+)/aws4_request")


class Relay(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self) -> None:
        signature = SERVICE.search(self.headers["Authorization"])
        assert signature, "a call to AWS is signed, and says for which service"
        region, service = signature.groups()
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = f"https://{service}.{region}.amazonaws.com{self.path}"
        answer = requests.request(self.command, url, headers=headers, data=body, timeout=60)
        self.send_response(answer.status_code)
        for name, value in answer.headers.items():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = pass_on  # noqa: N815 - the names that http.server calls

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def relay() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
