"""The connection goes to the address that was checked, even if the name resolves differently later."""

import socket
from typing import Any

import pytest

from readdo.errors import StepFailed
from readdo.extraction.fetch import fetch
from readdo.net import address

# fmt: off
PRIVATE = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1",
    "::127.0.0.1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1", "5f00::1",
    "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
]
# fmt: on
PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "2606:4700::1111",
    "2a00:1450::1",
]


@pytest.mark.parametrize("text", PRIVATE)
def test_private_address_is_not_public(text: str) -> None:
    assert not address.is_public(address.parse(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_public_address_is_public(text: str) -> None:
    assert address.is_public(address.parse(text))


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Record the addresses of connections instead of opening them."""
    places: list[Any] = []

    def connect(address_and_port: Any, *_: object, **__: object) -> socket.socket:
        places.append(address_and_port)
        raise ConnectionRefusedError

    monkeypatch.setattr("socket.create_connection", connect)
    return places


def fake_dns(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Replace the resolver; each lookup returns the next list of addresses."""
    remaining, looked_up = list(answers), []

    def resolve(host: str, port: int, **_: object) -> list[Any]:
        looked_up.append(host)
        addresses = remaining.pop(0) if len(remaining) > 1 else remaining[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (found_address, port)) for found_address in addresses]

    monkeypatch.setattr("socket.getaddrinfo", resolve)
    return looked_up


@pytest.mark.parametrize("text", [p for p in PRIVATE if "%" not in p])
def test_fetch_never_connects_to_a_name_with_a_private_address(
    monkeypatch: pytest.MonkeyPatch, connections: list[Any], text: str
) -> None:
    fake_dns(monkeypatch, [text])
    with pytest.raises(StepFailed, match="public internet"):
        fetch("http://innocent.example/")
    assert connections == []


def test_fetch_refuses_a_name_with_one_private_address(monkeypatch: pytest.MonkeyPatch, connections: list[Any]) -> None:
    fake_dns(monkeypatch, ["93.184.216.34", "10.0.0.1"])
    with pytest.raises(StepFailed, match="public internet"):
        fetch("http://innocent.example/")
    assert connections == []


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_fetch_resolves_a_name_once(monkeypatch: pytest.MonkeyPatch, connections: list[Any], scheme: str) -> None:
    looked_up = fake_dns(monkeypatch, ["93.184.216.34"], ["127.0.0.1"])
    with pytest.raises(StepFailed):
        fetch(f"{scheme}://rebinding.example/")
    assert connections == [("93.184.216.34", 443 if scheme == "https" else 80)]
    assert looked_up == ["rebinding.example"]


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "localhost."])
def test_fetch_refuses_other_spellings_of_loopback(connections: list[Any], host: str) -> None:
    with pytest.raises(StepFailed):
        fetch(f"http://{host}/")
    assert connections == []
