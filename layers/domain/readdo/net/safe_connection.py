"""The door: connections that go only to addresses that were checked, and end when their time is over.

A name is resolved once, every address of it must be public, and the connection is made to the address that was checked,
with the page's own name as Host and in TLS. So a name that changes its mind between the look and the connection, or on
a redirect, gains nothing.
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
PLACES_MAX = 8


class Blocked(Exception):
    """An address, port or name that must not be asked."""


class Watch:
    """One fetch's time. At its end every open connection is shut, whatever it is waiting for."""

    def __init__(self, seconds: float, *, loopback: bool = False) -> None:
        self.loopback = loopback  # told so by whoever runs it on their own machine, for tests
        self._end = time.monotonic() + seconds
        self._open: list[socket.socket] = []
        self._made: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._shut)
        self._timer.daemon = True

    def __enter__(self) -> "Watch":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        for held in self._open:
            held.close()
        for made in self._made:
            # For good: what was left in the middle of an answer is still held by whoever read it.
            if (handle := made.detach()) >= 0:
                os.close(handle)

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        return self.left <= 0

    def hold(self, connected: socket.socket) -> None:
        # A second handle on the same connection: TLS takes the first one away.
        self._made.append(connected)
        self._open.append(connected.dup())
        if self.over:
            self._shut()

    def _shut(self) -> None:
        for held in list(self._open):
            with contextlib.suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)

    def connect(self, host: str, port: int) -> socket.socket:
        places = address.resolve(host, port, self.left)
        for place in places:
            self._check(host, place, port)
        last: OSError = TimeoutError()
        for place in places[:PLACES_MAX]:
            if self.over:
                break
            try:
                connected = socket.create_connection((place, port), timeout=min(CONNECT_SECONDS, max(0.01, self.left)))
            except OSError as error:
                last = error
                continue
            self.hold(connected)
            return connected
        raise last

    def _check(self, host: str, place: str, port: int) -> None:
        found = address.parse(place)
        if self.loopback and found.is_loopback:
            return
        if port not in PORTS or not address.is_public(found):
            raise Blocked(message("link.not_public", host=host[:100]))


class _Checked:
    """Mixed into urllib3's connections: the only place where a socket is made."""

    watch: Watch
    host: str
    port: int

    def _new_conn(self) -> socket.socket:
        return self.watch.connect(self.host, self.port)


def pools(watch: Watch) -> dict[str, type[HTTPConnectionPool]]:
    """Pools for this fetch alone, whose connections know its watch."""
    plain = type("Plain", (_Checked, HTTPConnection), {"watch": watch})
    secure = type("Secure", (_Checked, HTTPSConnection), {"watch": watch})
    return {
        "http": type("PlainPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("SecurePool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }
