"""User of a connection, tested with real connections on this machine."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from stack import connection_owner
from stack.connection_owner import is_of_this_user

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose a connection is")
CONNECT = """
import socket, sys
sock = socket.create_connection((sys.argv[1], int(sys.argv[2])))
sock.recv(1)
"""


@pytest.fixture(params=["127.0.0.1", "::1"])
def listening(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    with socket.socket(family) as sock:
        try:
            sock.bind((request.param, 0))
        except OSError:
            pytest.skip("no IPv6 here")
        sock.listen(5)
        yield sock


def test_own_connection_is_of_this_user(listening: socket.socket) -> None:
    with socket.create_connection(listening.getsockname()[:2]):
        accepted, client = listening.accept()
        with accepted:
            assert is_of_this_user(client[:2], accepted.getsockname()[:2])
            assert not is_of_this_user((client[0], 1), accepted.getsockname()[:2]), "nobody's"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_connection_of_another_user_is_not(listening: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    host, port = listening.getsockname()[:2]
    command = ["/usr/bin/python3", "-c", CONNECT, host, str(port)]
    other = subprocess.Popen(command, user=65534, cwd="/", env={})  # noqa: S603 - our own program
    accepted, client = listening.accept()
    with accepted:
        monkeypatch.setattr(os, "getuid", lambda: 0)
        assert not is_of_this_user(client[:2], accepted.getsockname()[:2])
    other.wait(10)


def test_each_connection_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new connection is checked again, also from the same port."""
    checks: list[tuple[str, int]] = []
    monkeypatch.setattr(connection_owner, "_uid_of", lambda client, _: checks.append(client) or os.getuid())
    client, server = ("127.0.0.1", 5), ("127.0.0.1", 6)

    class Connection:
        async def run(self) -> None:
            for _ in range(3):
                await asyncio.create_task(self.request())

        async def request(self) -> None:
            assert is_of_this_user(client, server)

    connection_owner.check_once_per_connection(Connection)

    async def serve() -> None:
        for _ in range(2):
            await asyncio.create_task(Connection().run())

    asyncio.run(serve())
    assert checks == [client] * 2
