"""Private ministack: in memory, on a free local port."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

_SECONDS = 30


@contextmanager
def ministack() -> Iterator[str]:
    """Run ministack and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory() as home:
        settings = {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "TMPDIR": home,
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(port),
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "LOG_LEVEL": "ERROR",
            "DOCKER_HOST": "unix:///nonexistent",  # ministack would stop the containers of other ministacks
        }
        command = [sys.executable, "-m", "ministack"]
        running = subprocess.Popen(  # noqa: S603 - our own program
            command, env=settings, cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _wait(port, running)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()
            running.wait(_SECONDS)


def _wait(port: int, running: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end and running.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit("ministack did not start")
