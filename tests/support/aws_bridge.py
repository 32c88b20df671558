"""A loopback server in front of moto's backends, so that other processes share their state."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from botocore.awsrequest import AWSPreparedRequest
from botocore.compat import HTTPHeaders
from moto.core.models import botocore_stubber

# `Credential=KEY/20260101/eu-central-1/dynamodb/aws4_request`: region and service of a signed request.
_SCOPE = re.compile(r"Credential=[^/]+/\d+/([^/]+)/([^/]+)/")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    one_at_a_time = threading.RLock()  # moto is not safe for threads

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = HTTPHeaders()
        for name, value in self.headers.items():
            headers[name] = value
        scope = _SCOPE.search(self.headers.get("authorization", ""))
        assert scope, self.path
        region, service = scope.groups()
        del headers["host"]
        headers["host"] = f"{service}.{region}.amazonaws.com"
        request = AWSPreparedRequest(self.command, f"https://{headers['host']}{self.path}", headers, body, False)
        with self.one_at_a_time:
            response = botocore_stubber.process_request(request)
        assert response, self.path
        status, response_headers, content = response
        data = content.encode() if isinstance(content, str) else bytes(content or b"")
        self.send_response(int(status))
        for name, value in dict(response_headers).items():
            if name.lower() not in ("content-length", "date", "server", "transfer-encoding"):
                self.send_header(name, str(value))
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _answer  # noqa: N815 - names that the base class calls

    def log_message(self, *_: Any) -> None: ...


@contextmanager
def bridge() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
