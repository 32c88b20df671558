"""`.local/`: one owner at a time, readable by nobody else; and the port, held from the first moment."""

import contextlib
import errno
import fcntl
import html
import json
import os
import shutil
import socket
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from stack.settings import Settings


class AlreadyRunningError(Exception):
    """Another process owns the state."""


class PortTakenError(Exception):
    """Another program listens on the port."""


def claim(settings: Settings) -> int:
    """Make the directories, lock them and clear what a killed run left; the lock lives as long as the descriptor."""
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
            f"Read→Do is already running on {home} (process {pid}). Use that one, its address is in "
            f"{home / 'endpoint.json'}; or stop it first: kill {pid}"
        ) from None
    os.truncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    withdraw(home)
    shutil.rmtree(home / "tmp", ignore_errors=True)
    for part in ("tmp", "state", "s3"):
        (home / part).mkdir(mode=0o700, exist_ok=True)
    return lock


def mark_clean(home: Path) -> None:
    (home / "clean").touch()


def last_words(home: Path, loaded: Path | None) -> str | None:
    """What a person must know when the last run was not stopped but killed: from when the state is."""
    clean = home / "clean"
    stopped = clean.exists()
    clean.unlink(missing_ok=True)
    if stopped or loaded is None:
        return None
    when = datetime.fromtimestamp(loaded.stat().st_mtime, UTC).astimezone()
    return f"The last run was not stopped in order. Its state is from {when:%H:%M:%S}; what came after that is lost."


def listen(settings: Settings) -> list[socket.socket]:
    """Bind here rather than in the server: the port is either ours or refused in words, with no gap between.

    Files are on `localhost`, which may mean either address: whoever held the other one would be sent their links.
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
            f"Port {settings.port} on this machine cannot be used ({error.strerror}, {address}). "
            f"Choose another, for example: PORT={settings.port + 1} make run"
        ) from None
    return sock


def write_private(path: Path, text: str) -> None:
    """Whole or not at all, and never readable by others in between."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    draft.replace(path)


def publish_endpoint(home: Path, url: str, token: str) -> None:
    write_private(home / "endpoint.json", json.dumps({"url": url, "token": token}) + "\n")


def publish_admin(home: Path, environ: Mapping[str, str]) -> None:
    """For looking into the stack with AWS's own tools: `set -a; . .local/admin.env; aws dynamodb list-tables`."""
    names = (
        "AWS_ENDPOINT_URL",
        "AWS_ENDPOINT_URL_S3",
        "AWS_DEFAULT_REGION",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
    )
    write_private(home / "admin.env", "".join(f"{name}={environ[name]}\n" for name in names))


def publish_opener(home: Path, page: str) -> Path:
    """A private file that leads a browser to the page, with the token in its address."""
    file = home / "open.html"
    to = html.escape(page)
    write_private(file, f'<meta http-equiv="refresh" content="0; url={to}"><a href="{to}">Read→Do</a>\n')
    return file


def withdraw(home: Path) -> None:
    """A script that waits for the file must never read the address of a stack that is gone."""
    for name in ("endpoint.json", "admin.env", "open.html"):
        (home / name).unlink(missing_ok=True)
