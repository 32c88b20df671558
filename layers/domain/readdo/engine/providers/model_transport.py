"""The only place that opens a connection to a model: it ends at its deadline, whatever the other side does.

A timeout of a socket is per read, so a server that sends a byte now and then outlives it, in the headers as in the
body, and looking up a name knows no timeout at all. So the talking is done by a thread of its own: at the deadline the
caller leaves, and the connection is shut under the thread.

No proxy, no redirect, no packing: what the key is sent to is what the setting names, and 2 MB are 2 MB.
"""

import contextlib
import http.client
import queue
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

CONNECT_SECONDS = 4.0  # the opening packet may be lost twice
REPLY_MAX = 2_000_000
_PIECE = 65_536
_OWN = {"host", "content-length", "accept-encoding", "connection", "transfer-encoding"}


class ConnectionClosed(Exception):
    """`kind` is a row of the table of faults."""

    def __init__(self, kind: str, debug: str) -> None:
        super().__init__(debug)
        self.kind, self.debug = kind, debug


@dataclass(frozen=True)
class ModelRequest:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)  # the key is one of them
    body: bytes = field(repr=False)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)


class _Line:
    """The connection as the caller holds it while the thread talks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: socket.socket | None = None
        self._over = False

    def hold(self, connected: socket.socket) -> None:
        # A second handle on the same connection: TLS takes the first one away.
        with self._lock:
            self._held = connected.dup()
        if self._over:
            self.end()

    def end(self) -> None:
        with self._lock:
            self._over = True
            if self._held:
                with contextlib.suppress(OSError):
                    self._held.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            if self._held:
                self._held.close()
            self._held = None


def send(request: ModelRequest, deadline: float, tls: ssl.SSLContext) -> Reply:
    left = deadline - time.monotonic()
    if left <= 0:
        raise ConnectionClosed("no_time", "before the connection")
    line = _Line()
    told: queue.SimpleQueue[Reply | Exception] = queue.SimpleQueue()
    threading.Thread(target=_talk, args=(request, left, tls, line, told), name="model-call", daemon=True).start()
    try:
        came = told.get(timeout=left)
    except queue.Empty:
        raise ConnectionClosed("slow", f"no whole answer within {left:.1f} s") from None
    finally:
        line.end()
    if isinstance(came, Exception):
        raise came
    return came


def _talk(
    request: ModelRequest, left: float, tls: ssl.SSLContext, line: _Line, told: "queue.SimpleQueue[Reply | Exception]"
) -> None:
    try:
        told.put(_exchange(request, left, tls, line))
    except ConnectionClosed as shut:
        told.put(shut)
    except TimeoutError as error:
        told.put(ConnectionClosed("slow", type(error).__name__))
    except (OSError, ValueError, http.client.HTTPException) as error:
        told.put(ConnectionClosed("garbled", type(error).__name__))
    except Exception as error:  # the caller must hear of it, whatever it is
        told.put(error)
    finally:
        line.close()


def _exchange(request: ModelRequest, left: float, tls: ssl.SSLContext, line: _Line) -> Reply:
    talking = _connection(request, left, tls, line)
    try:
        parts = urlsplit(request.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OWN}
        # Without the SDK's own wish for packed answers, http.client asks for plain ones.
        talking.request(request.method, target, request.body, headers | {"Connection": "close"})
        with talking.getresponse() as reply:
            return Reply(reply.status, tuple(reply.getheaders()), _body(reply))
    finally:
        talking.close()


def _connection(request: ModelRequest, left: float, tls: ssl.SSLContext, line: _Line) -> http.client.HTTPConnection:
    try:
        parts = urlsplit(request.url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ConnectionClosed("address", type(error).__name__) from error
    if parts.scheme not in ("http", "https") or not host:
        raise ConnectionClosed("address", "no http address")
    secure = parts.scheme == "https"
    talking = http.client.HTTPConnection(host, port or (443 if secure else 80))
    if secure:
        talking.default_port = 443  # else the Host that is sent would name the port
    talking.sock = _socket(talking, left, tls if secure else None, line)
    return talking


def _socket(talking: http.client.HTTPConnection, left: float, tls: ssl.SSLContext | None, line: _Line) -> socket.socket:
    try:
        made = socket.create_connection((talking.host, talking.port), timeout=min(CONNECT_SECONDS, left))
    except OSError as error:
        raise ConnectionClosed("unreachable", type(error).__name__) from error
    try:
        line.hold(made)
        made.settimeout(left)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return tls.wrap_socket(made, server_hostname=talking.host) if tls else made
    except ssl.SSLCertVerificationError as error:
        made.close()
        raise ConnectionClosed("insecure", f"certificate: {error.verify_code}") from error
    except BaseException:
        made.close()
        raise


def _body(reply: http.client.HTTPResponse) -> bytes:
    if (packed := reply.getheader("Content-Encoding", "identity").strip().lower()) not in ("", "identity"):
        raise ConnectionClosed("garbled", f"packed as {packed[:20]}, which was not asked for")
    made = bytearray()
    while piece := reply.read1(_PIECE):
        made += piece
        if len(made) > REPLY_MAX:
            raise ConnectionClosed("garbled", f"more than {REPLY_MAX} bytes")
    if reply.length:
        raise ConnectionClosed("garbled", f"cut off {reply.length} bytes before its end")
    return bytes(made)
