"""Connections that go only to checked addresses and end at a deadline.

A host name is resolved once, and all its addresses must be public. The connection goes to the checked address, with the
host name in the Host header and in TLS. So a name that resolves differently after the check, or after a redirect (DNS
rebinding), cannot bypass the check.
"""

import contextlib
import os
import socket
import threading
import time

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from readdo.messages import message
from readdo.net import address

CONNECT_SECONDS = 5.0
PORTS = (80, 443)
ADDRESSES_MAX = 8


class Blocked(Exception):
    """A connection to a forbidden address, port or host. Its argument is a message to the user."""


class Watch:
    """The deadline of one fetch. At the deadline all open connections are shut down."""

    def __init__(self, seconds: float, *, loopback: bool = False) -> None:
        self.loopback = loopback  # allowed only on a developer's machine
        self._end = time.monotonic() + seconds
        self._open: list[socket.socket] = []
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._shut)
        self._timer.daemon = True

    def __enter__(self) -> "Watch":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        for held in self._open:
            held.close()
        for connected in self._sockets:
            # Close the descriptor itself: a response that was not read to the end still holds the socket object.
            if (handle := connected.detach()) >= 0:
                os.close(handle)

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        return self.left <= 0

    def hold(self, connected: socket.socket) -> None:
        # A second handle of the same connection: TLS detaches the first one.
        self._sockets.append(connected)
        self._open.append(connected.dup())
        if self.over:
            self._shut()

    def _shut(self) -> None:
        for held in list(self._open):
            with contextlib.suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)

    def connect(self, host: str, port: int) -> socket.socket:
        ips = address.resolve(host, port, self.left)
        for ip in ips:
            self._check(host, ip, port)
        last_error: OSError = TimeoutError()
        for ip in ips[:ADDRESSES_MAX]:
            if self.over:
                break
            try:
                connected = socket.create_connection((ip, port), timeout=min(CONNECT_SECONDS, max(0.01, self.left)))
            except OSError as error:
                last_error = error
                continue
            self.hold(connected)
            return connected
        raise last_error

    def _check(self, host: str, ip: str, port: int) -> None:
        parsed = address.parse(ip)
        if self.loopback and parsed.is_loopback:
            return
        if port not in PORTS or not address.is_public(parsed):
            raise Blocked(message("link.not_public", host=host[:100]))


class _CheckedConnection:
    """Mixin for urllib3's connections: the only place that creates sockets."""

    watch: Watch
    host: str
    port: int

    def _new_conn(self) -> socket.socket:
        return self.watch.connect(self.host, self.port)


def pools(watch: Watch) -> dict[str, type[HTTPConnectionPool]]:
    """Connection pools for one fetch, bound to its watch."""
    plain = type("Plain", (_CheckedConnection, HTTPConnection), {"watch": watch})
    secure = type("Secure", (_CheckedConnection, HTTPSConnection), {"watch": watch})
    return {
        "http": type("PlainPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("SecurePool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }
