"""Find the user of a loopback connection, because every user of the machine can connect to loopback."""

import os
import socket
import struct
import sys
from ipaddress import ip_address
from pathlib import Path

_FILES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_UID = 7  # index of the uid field


def is_of_this_user(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Return true if the client is this user or root. Only Linux reports users; elsewhere always true."""
    if sys.platform != "linux":
        return True
    return _uid_of(client, server) in (os.getuid(), 0)


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
