"""Which user of this machine a connection comes from. Loopback is open to all of them."""

import os
import socket
import struct
import sys
from ipaddress import ip_address
from pathlib import Path

_FILES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_UID = 7  # the field of a line that names the socket's user


def is_of_this_user(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Root may as well: it can read everything anyway. Only Linux tells; elsewhere every connection counts as ours."""
    if sys.platform != "linux":
        return True
    return _uid_of(client, server) in (os.getuid(), 0)


def _uid_of(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """The user of the client's socket; None if there is no such connection."""
    for file in _FILES:
        lines = file.read_bytes().splitlines() if file.exists() else []
        ends = {(one, other) for one in _written(client) for other in _written(server)}
        for line in lines[1:]:
            fields = line.split()
            if (fields[1], fields[2]) in ends:
                return int(fields[_UID])
    return None


def _written(end: tuple[str, int]) -> list[bytes]:
    """As the kernel writes an address: each four bytes in the machine's own order. IPv4 also as mapped into IPv6."""
    address, port = ip_address(end[0]), end[1]
    forms = [address.packed]
    if address.version == 4:
        forms.append(b"\0" * 10 + b"\xff\xff" + address.packed)
    return [f"{_words(form)}:{port:04X}".encode() for form in forms]


def _words(packed: bytes) -> str:
    return "".join(
        f"{socket.ntohl(word) if sys.byteorder == 'little' else word:08X}"
        for word in struct.unpack(f"!{len(packed) // 4}I", packed)
    )
