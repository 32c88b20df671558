"""Names and connections under the test's hand: nothing is looked up, nobody is reached, all is written down."""

import ipaddress
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from hostile_urls import NAMES, as_asked

PUBLIC, PUBLIC6 = "93.184.216.34", "2606:4700::1111"
OPEN = "public.example"
_real = socket.getaddrinfo


@dataclass
class Net:
    """`names`: what each look-up of a name is told, the last for ever. `answers`: what an address sends in turn."""

    names: dict[str, list[list[str]]]
    answers: dict[str, list[bytes]] = field(default_factory=dict)
    looked_up: list[str] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)
    far_ends: list[socket.socket] = field(default_factory=list)

    def look_up(self, host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        left = self.names.get(host)
        if left is None:  # numbers as the system reads them, in all their notations; whatever is none is unknown
            return list(_real(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
        self.looked_up.append(host)
        found = left.pop(0) if len(left) > 1 else left[0]
        return [_entry(place, port) for place in found]

    def connect(self, near: socket.socket, place: Any) -> None:
        self.connected.append((str(place[0]), int(place[1])))
        if not self.answers.get(str(place[0])):
            raise ConnectionRefusedError
        mine, far = socket.socketpair()
        os.dup2(mine.fileno(), near.fileno())
        mine.close()
        self.far_ends.append(far)
        # Beside whoever asks: an answer that is larger than the system keeps is sent while it is read.
        answer = self.answers[str(place[0])].pop(0)
        threading.Thread(target=_sent, args=(far, answer), daemon=True).start()

    def was_sent(self) -> list[bytes]:
        """To whoever answered."""
        return [far.recv(65_536) for far in self.far_ends]


def _sent(far: socket.socket, answer: bytes) -> None:
    with suppress(OSError):  # whoever asked has heard enough
        far.sendall(answer)
        far.shutdown(socket.SHUT_WR)


def _entry(place: str, port: int) -> Any:
    if isinstance(ipaddress.ip_address(place.partition("%")[0]), ipaddress.IPv4Address):
        return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port))
    return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (place, port, 0, 0))


@contextmanager
def net(names: dict[str, list[list[str]]] | None = None) -> Iterator[Net]:
    known = {as_asked(name): [places] for name, places in NAMES.items()}
    found = Net({**known, OPEN: [[PUBLIC]], **(names or {})})

    def connect(near: socket.socket, place: Any) -> None:
        found.connect(near, place)

    with (
        mock.patch.object(socket, "getaddrinfo", found.look_up),
        mock.patch.object(socket.socket, "connect", connect),
        mock.patch.object(socket.socket, "connect_ex", connect),
    ):
        try:
            yield found
        finally:
            for far in found.far_ends:
                far.close()


def moved(place: str, status: int = 302, **headers: str) -> bytes:
    said = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {status} Moved\r\nLocation: {place}\r\nContent-Length: 0\r\n{said}\r\n"
    return head.encode()


def page(body: bytes = b"<html><p>hello</p></html>", *, status: str = "200 OK", **headers: str) -> bytes:
    told = {"Content_Type": "text/html", "Content_Length": str(len(body)), **headers}
    said = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in told.items() if value)
    return f"HTTP/1.1 {status}\r\n{said}\r\n".encode() + body
