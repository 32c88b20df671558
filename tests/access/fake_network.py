"""A fake network: no name is looked up outside, no host is reached, and every attempt is recorded."""

import ipaddress
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from access.hostile_urls import PRIVATE_NAMES, idna_name

PUBLIC, PUBLIC6 = "93.184.216.34", "2606:4700::1111"
OPEN = "public.example"
_real_getaddrinfo = socket.getaddrinfo


@dataclass
class FakeNetwork:
    """`names`: the results of each look-up, the last repeats. `answers`: what an address sends in turn."""

    names: dict[str, list[list[str]]]
    answers: dict[str, list[bytes]] = field(default_factory=dict)
    looked_up: list[str] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)
    remote_sockets: list[socket.socket] = field(default_factory=list)

    def look_up(self, host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        results = self.names.get(host)
        if results is None:  # numeric hosts as the system parses them; any other name is unknown
            return list(_real_getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
        self.looked_up.append(host)
        places = results.pop(0) if len(results) > 1 else results[0]
        return [_entry(place, port) for place in places]

    def connect(self, near: socket.socket, place: Any) -> None:
        self.connected.append((str(place[0]), int(place[1])))
        if not self.answers.get(str(place[0])):
            raise ConnectionRefusedError
        mine, far = socket.socketpair()
        os.dup2(mine.fileno(), near.fileno())
        mine.close()
        self.remote_sockets.append(far)
        # In a thread: an answer larger than the socket's buffer is sent while the client reads it.
        answer = self.answers[str(place[0])].pop(0)
        threading.Thread(target=_send, args=(far, answer), daemon=True).start()

    def received(self) -> list[bytes]:
        """The bytes that each answering host got."""
        return [far.recv(65_536) for far in self.remote_sockets]


def _send(far: socket.socket, answer: bytes) -> None:
    with suppress(OSError):  # the client closed the connection early
        far.sendall(answer)
        far.shutdown(socket.SHUT_WR)


def _entry(place: str, port: int) -> Any:
    if isinstance(ipaddress.ip_address(place.partition("%")[0]), ipaddress.IPv4Address):
        return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port))
    return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (place, port, 0, 0))


@contextmanager
def fake_network(names: dict[str, list[list[str]]] | None = None) -> Iterator[FakeNetwork]:
    private = {idna_name(name): [places] for name, places in PRIVATE_NAMES.items()}
    network = FakeNetwork({**private, OPEN: [[PUBLIC]], **(names or {})})

    def connect(near: socket.socket, place: Any) -> None:
        network.connect(near, place)

    with (
        mock.patch.object(socket, "getaddrinfo", network.look_up),
        mock.patch.object(socket.socket, "connect", connect),
        mock.patch.object(socket.socket, "connect_ex", connect),
    ):
        try:
            yield network
        finally:
            for far in network.remote_sockets:
                far.close()


def redirect_response(place: str, status: int = 302, **headers: str) -> bytes:
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {status} Moved\r\nLocation: {place}\r\nContent-Length: 0\r\n{lines}\r\n"
    return head.encode()


def page_response(body: bytes = b"<html><p>hello</p></html>", *, status: str = "200 OK", **headers: str) -> bytes:
    all_headers = {"Content_Type": "text/html", "Content_Length": str(len(body)), **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in all_headers.items() if value)
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body
