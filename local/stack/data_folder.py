"""The data folder `.local/` (locked by one process, private to the user) and the listening sockets."""

import contextlib
import errno
import fcntl
import html
import json
import os
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path

from stack.settings import Settings


class AlreadyRunningError(Exception):
    """Another process owns the state."""


class PortTakenError(Exception):
    """Another program listens on the port."""


def claim(settings: Settings) -> int:
    """Create and lock the folder, and clear leftovers of a killed run.

    The lock lives as long as the returned descriptor.
    """
    os.umask(0o077)
    home = settings.home
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    home.chmod(0o700)
    lock = os.open(home / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.pread(lock, 20, 0).decode().strip()
        raise AlreadyRunningError(
            f"Read→Do is already running on {home} (process {pid}). Its address is in "
            f"{home / 'endpoint.json'}. To stop it: kill {pid}"
        ) from None
    os.truncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    unpublish(home)
    shutil.rmtree(home / "tmp", ignore_errors=True)
    for part in ("tmp", "state", "s3"):
        (home / part).mkdir(mode=0o700, exist_ok=True)
    return lock


def mark_clean(home: Path) -> None:
    (home / "clean").touch()


def was_stopped(home: Path) -> bool:
    """Return whether the last run saved everything and stopped."""
    return (home / "clean").exists()


def unclean_stop_message(home: Path, loaded: Path | None) -> str | None:
    """Return a message if the last run was killed; otherwise None."""
    was_clean = was_stopped(home)
    (home / "clean").unlink(missing_ok=True)
    if was_clean or loaded is None:
        return None
    return "The last run was killed. Your data is complete up to its last second. Interrupted work starts again."


def listen(settings: Settings) -> list[socket.socket]:
    """Bind the port before the server starts, so that a port conflict gives a clear message.

    Presigned links use `localhost`, which can resolve to either address: a program on the other one would receive them.
    """
    socks = [_bind(settings, socket.AF_INET, "127.0.0.1")]
    if socket.has_ipv6:
        with contextlib.suppress(_NoSuchAddressError):
            socks.append(_bind(settings, socket.AF_INET6, "::1"))
    return socks


class _NoSuchAddressError(Exception):
    """This machine has no IPv6."""


def _bind(settings: Settings, family: socket.AddressFamily, address: str) -> socket.socket:
    sock: socket.socket | None = None
    try:
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((address, settings.port))
        sock.listen(256)
    except OSError as error:
        if sock is not None:
            sock.close()
        if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            raise _NoSuchAddressError from error
        raise PortTakenError(
            f"Port {settings.port} cannot be used ({error.strerror}, {address}). "
            f"Choose another port: PORT={settings.port + 1} make run"
        ) from None
    return sock


def write_private(path: Path, text: str) -> None:
    """Write a file atomically, readable only by the user."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    draft.replace(path)


def publish_endpoint(home: Path, url: str, token: str) -> None:
    write_private(home / "endpoint.json", json.dumps({"url": url, "token": token}) + "\n")


def publish_admin(home: Path, environ: Mapping[str, str]) -> None:
    """Write the settings for AWS tools: `set -a; . .local/admin.env; aws dynamodb list-tables`."""
    names = (
        "AWS_ENDPOINT_URL",
        "AWS_ENDPOINT_URL_S3",
        "AWS_DEFAULT_REGION",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
    )
    write_private(home / "admin.env", "".join(f"{name}={environ[name]}\n" for name in names))


def publish_opener(home: Path, page: str) -> Path:
    """Write a private file that redirects a browser to the page, with the token in the address."""
    file = home / "open.html"
    to = html.escape(page)
    write_private(file, f'<meta http-equiv="refresh" content="0; url={to}"><a href="{to}">Read→Do</a>\n')
    return file


def unpublish(home: Path) -> None:
    """Delete the published files, so that no script reads the address of a stopped stack."""
    for name in ("endpoint.json", "admin.env", "open.html"):
        (home / name).unlink(missing_ok=True)
