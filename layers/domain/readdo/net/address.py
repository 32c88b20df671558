"""Which addresses may be asked. Public unicast only: whoever names a page must not reach what is behind our door."""

import ipaddress
import queue
import socket
import threading

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# What `is_global` calls global, or says nothing of, and is not the public internet's.
_CLOSED = tuple(
    ipaddress.ip_network(block)
    for block in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # carriers' own
        "169.254.0.0/16",  # the cloud's metadata lives here
        "192.0.0.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "198.18.0.0/15",
        "224.0.0.0/3",  # multicast, reserved, broadcast
        "::/96",  # IPv4 in IPv6's clothes, and the unspecified address
        "::ffff:0:0:0/96",
        "64:ff9b::/96",  # NAT64: any IPv4 address by another name
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/23",  # Teredo and its neighbours
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    )
)
_UNICAST = ipaddress.IPv6Network("2000::/3")  # all of IPv6 that is given out
LOOKUP_SECONDS = 5.0


class Unresolved(Exception):
    pass


def parse(text: str) -> Address:
    """As the system will read it: without a zone, and an IPv4 address that is wrapped in IPv6 as what it is."""
    found = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped
    return found


def is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address not in _UNICAST:
        return False
    inside = any(address.version == block.version and address in block for block in _CLOSED)
    return address.is_global and not address.is_multicast and not inside


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """Every address of a host, asked once. The system's resolver knows no limit of time, so it is left behind."""
    answers: queue.Queue[list[str] | OSError | UnicodeError] = queue.Queue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(place[4][0]) for place in found])
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=max(0.01, min(seconds, LOOKUP_SECONDS)))
    except queue.Empty:
        raise Unresolved(host) from None
    if isinstance(answer, list) and answer:
        return list(dict.fromkeys(answer))
    raise Unresolved(host)
