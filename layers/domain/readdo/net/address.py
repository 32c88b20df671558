"""Allow only public unicast addresses, so that a user's link cannot reach internal services."""

import ipaddress
import queue
import socket
import threading

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Networks outside the public internet that `is_global` counts as global or does not know.
_CLOSED = tuple(
    ipaddress.ip_network(block)
    for block in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "169.254.0.0/16",  # link-local, with the cloud's metadata service
        "192.0.0.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "198.18.0.0/15",
        "224.0.0.0/3",  # multicast, reserved, broadcast
        "::/96",  # IPv4-compatible addresses, and the unspecified address
        "::ffff:0:0:0/96",
        "64:ff9b::/96",  # NAT64, which maps every IPv4 address
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/23",  # Teredo and other protocol assignments
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
_UNICAST = ipaddress.IPv6Network("2000::/3")  # all assigned IPv6 unicast addresses
LOOKUP_SECONDS = 5.0


class Unresolved(Exception):
    pass


def parse(text: str) -> Address:
    """Parse an address as the system does: drop the zone, and unwrap an IPv4-mapped IPv6 address."""
    parsed = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped
    return parsed


def is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address not in _UNICAST:
        return False
    inside = any(address.version == block.version and address in block for block in _CLOSED)
    return address.is_global and not address.is_multicast and not inside


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """Every address of a host. getaddrinfo has no timeout, so it runs in a thread that may be abandoned."""
    results: queue.Queue[list[str] | OSError | UnicodeError] = queue.Queue()

    def look_up() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            results.put([str(row[4][0]) for row in rows])
        except (OSError, UnicodeError) as error:
            results.put(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        result = results.get(timeout=max(0.01, min(seconds, LOOKUP_SECONDS)))
    except queue.Empty:
        raise Unresolved(host) from None
    if isinstance(result, list) and result:
        return list(dict.fromkeys(result))
    raise Unresolved(host)
