"""Find the user of a loopback connection, because every user of the machine can connect to loopback."""

import os
import socket
import struct
import sys
from contextvars import ContextVar
from ipaddress import ip_address
from pathlib import Path
from typing import Any

_FILES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_UID = 7  # index of the uid field
# Set once per connection: the connections of this user that were checked, so at most one.
_checked: ContextVar[set[tuple[str, int]] | None] = ContextVar("checked", default=None)


def check_once_per_connection(tcp_server: Any) -> None:
    """Check each connection at its first request only: the check reads a list of all connections.

    Not once per port: another user can take the port of a closed connection.
    """
    run = tcp_server.run

    async def run_connection(self: Any) -> None:
        _checked.set(set())  # in the task of this connection, which starts the tasks of its requests
        await run(self)

    tcp_server.run = run_connection


def is_of_this_user(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Return true if the client is this user or root. Only Linux reports users; elsewhere always true."""
    if sys.platform != "linux":
        return True
    checked = _checked.get()
    if checked is not None and client in checked:
        return True
    of_this_user = _uid_of(client, server) in (os.getuid(), 0)
    if of_this_user and checked is not None:
        checked.add(client)
    return of_this_user


def _uid_of(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """Return the uid of the client's socket; None if there is no such connection."""
    for file in _FILES:
        lines = file.read_bytes().splitlines() if file.exists() else []
        ends = {(one, other) for one in _kernel_forms(client) for other in _kernel_forms(server)}
        for line in lines[1:]:
            fields = line.split()
            if (fields[1], fields[2]) in ends:
                return int(fields[_UID])
    return None


def _kernel_forms(end: tuple[str, int]) -> list[bytes]:
    """Format an address as /proc/net/tcp does: 4-byte words in host byte order.

    An IPv4 address is also returned as IPv4-mapped IPv6.
    """
    address, port = ip_address(end[0]), end[1]
    forms = [address.packed]
    if address.version == 4:
        forms.append(b"\0" * 10 + b"\xff\xff" + address.packed)
    return [f"{_hex_words(form)}:{port:04X}".encode() for form in forms]


def _hex_words(packed: bytes) -> str:
    return "".join(
        f"{socket.ntohl(word) if sys.byteorder == 'little' else word:08X}"
        for word in struct.unpack(f"!{len(packed) // 4}I", packed)
    )
