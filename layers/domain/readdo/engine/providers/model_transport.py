"""HTTP transport to a model, with one deadline for the whole call.

No other module opens connections to a model.

A socket timeout applies to each read, so a server that sends single bytes can exceed it, and a DNS lookup has no
timeout. Therefore a separate thread does the exchange. At the deadline the caller returns and closes the connection.

Proxies, redirects and compression are not used: the key is sent only to the configured address, and the size limit of
2 MB holds.
"""

import contextlib
import http.client
import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

CONNECT_SECONDS = 4.0  # allows for two lost SYN packets
REPLY_MAX = 2_000_000
_PIECE = 65_536
_OWN = {"host", "content-length", "accept-encoding", "connection", "transfer-encoding"}


class ConnectionClosed(Exception):
    """A failed call. `kind` is a key of the table in faults."""

    def __init__(self, kind: str, debug: str) -> None:
        super().__init__(debug)
        self.kind, self.debug = kind, debug


@dataclass(frozen=True)
class ModelRequest:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)  # include the key
    body: bytes = field(repr=False)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)


class _ConnectionHandle:
    """The caller's handle on the connection that the thread uses."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: socket.socket | None = None
        self._over = False

    def hold(self, connected: socket.socket) -> None:
        # A second handle, because TLS detaches the first one.
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


class CallGroup:
    """Calls that are ended together: a pause closes the connections of all calls in progress."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handles: set[_ConnectionHandle] = set()
        self._over = False

    @contextlib.contextmanager
    def joined(self, handle: _ConnectionHandle) -> Iterator[None]:
        with self._lock:
            if self._over:
                raise ConnectionClosed("no_time", "the calls were ended")
            self._handles.add(handle)
        try:
            yield
        finally:
            with self._lock:
                self._handles.discard(handle)

    def end(self) -> None:
        """Close all connections. A later call is refused."""
        with self._lock:
            self._over = True
            for handle in self._handles:
                handle.end()


def send(request: ModelRequest, deadline: float, tls: ssl.SSLContext, group: CallGroup | None = None) -> Reply:
    handle = _ConnectionHandle()
    with group.joined(handle) if group else contextlib.nullcontext():
        return _send(request, deadline, tls, handle)


def _send(request: ModelRequest, deadline: float, tls: ssl.SSLContext, handle: _ConnectionHandle) -> Reply:
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise ConnectionClosed("no_time", "before the connection")
    results: queue.SimpleQueue[Reply | Exception] = queue.SimpleQueue()
    threading.Thread(
        target=_exchange_in_thread, args=(request, remaining, tls, handle, results), name="model-call", daemon=True
    ).start()
    try:
        result = results.get(timeout=remaining)
    except queue.Empty:
        raise ConnectionClosed("slow", f"no whole answer within {remaining:.1f} s") from None
    finally:
        handle.end()
    if isinstance(result, Exception):
        raise result
    return result


def _exchange_in_thread(
    request: ModelRequest,
    remaining: float,
    tls: ssl.SSLContext,
    handle: _ConnectionHandle,
    results: "queue.SimpleQueue[Reply | Exception]",
) -> None:
    try:
        results.put(_exchange(request, remaining, tls, handle))
    except ConnectionClosed as closed:
        results.put(closed)
    except TimeoutError as error:
        results.put(ConnectionClosed("slow", type(error).__name__))
    except (OSError, ValueError, http.client.HTTPException) as error:
        results.put(ConnectionClosed("garbled", type(error).__name__))
    except Exception as error:  # the caller waits for a result in any case
        results.put(error)
    finally:
        handle.close()


def _exchange(request: ModelRequest, remaining: float, tls: ssl.SSLContext, handle: _ConnectionHandle) -> Reply:
    connection = _connection(request, remaining, tls, handle)
    try:
        parts = urlsplit(request.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OWN}
        # The SDK's Accept-Encoding is dropped, so http.client requests an uncompressed response.
        connection.request(request.method, target, request.body, headers | {"Connection": "close"})
        with connection.getresponse() as reply:
            return Reply(reply.status, tuple(reply.getheaders()), _body(reply))
    finally:
        connection.close()


def _connection(
    request: ModelRequest, remaining: float, tls: ssl.SSLContext, handle: _ConnectionHandle
) -> http.client.HTTPConnection:
    try:
        parts = urlsplit(request.url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ConnectionClosed("address", type(error).__name__) from error
    if parts.scheme not in ("http", "https") or not host:
        raise ConnectionClosed("address", "no http address")
    secure = parts.scheme == "https"
    connection = http.client.HTTPConnection(host, port or (443 if secure else 80))
    if secure:
        connection.default_port = 443  # otherwise the Host header would contain the port
    connection.sock = _socket(connection, remaining, tls if secure else None, handle)
    return connection


def _socket(
    connection: http.client.HTTPConnection, remaining: float, tls: ssl.SSLContext | None, handle: _ConnectionHandle
) -> socket.socket:
    try:
        raw_socket = socket.create_connection(
            (connection.host, connection.port), timeout=min(CONNECT_SECONDS, remaining)
        )
    except OSError as error:
        raise ConnectionClosed("unreachable", type(error).__name__) from error
    try:
        handle.hold(raw_socket)
        raw_socket.settimeout(remaining)
        raw_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return tls.wrap_socket(raw_socket, server_hostname=connection.host) if tls else raw_socket
    except ssl.SSLCertVerificationError as error:
        raw_socket.close()
        raise ConnectionClosed("insecure", f"certificate: {error.verify_code}") from error
    except BaseException:
        raw_socket.close()
        raise


def _body(reply: http.client.HTTPResponse) -> bytes:
    if (packed := reply.getheader("Content-Encoding", "identity").strip().lower()) not in ("", "identity"):
        raise ConnectionClosed("garbled", f"packed as {packed[:20]}, which was not asked for")
    body = bytearray()
    while piece := reply.read1(_PIECE):
        body += piece
        if len(body) > REPLY_MAX:
            raise ConnectionClosed("garbled", f"more than {REPLY_MAX} bytes")
    if reply.length:
        raise ConnectionClosed("garbled", f"cut off {reply.length} bytes before its end")
    return bytes(body)
