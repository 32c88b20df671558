"""The real local stack on its own port and folder, with an additional empty function."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from stack.bundle import bundle
from stack.settings import Settings
from support.template import ROOT

EMPTY = Path(__file__).with_name("empty")
# The stack's queue of waiting callers goes by name (local/stack/concurrency.py), so the empty function shares it with
# the API.
EMPTY_NAME, LIKE = "HttpApiBenchEmpty", "HttpApi"
PATIENCE = 60


@dataclass(frozen=True)
class Stack:
    host: str
    base: str  # prefix of every path
    token: str
    home: Path
    process: int  # of the launcher
    seconds: float  # from the start to the first request


@contextmanager
def local_stack(kept: Path | None = None) -> Iterator[Stack]:
    """Run a stack on the given folder, or on a new one that has the empty function and is deleted at the end."""
    home = kept or Path(tempfile.mkdtemp(prefix="readdo-bench-"))
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    environ = {**inherited, "READDO_LOCAL": str(home), "PORT": str(_free_port())}
    command = [sys.executable, str(ROOT / "local/run.py")]
    began = time.monotonic()
    with (home / "run.log").open("w") as log:
        process = subprocess.Popen(command, env=environ, stdout=log, stderr=log)  # noqa: S603 - our own program
    try:
        _wait_until_ready(process, home)
        seconds = time.monotonic() - began
        if not kept:
            _add_empty(Settings.read(environ), home)
        endpoint = json.loads((home / "endpoint.json").read_text())
        host, _, base = endpoint["url"].removeprefix("http://").partition("/")
        yield Stack(host, f"/{base}", endpoint["token"], home, process.pid, seconds)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        if not kept:
            shutil.rmtree(home, ignore_errors=True)


def _wait_until_ready(process: subprocess.Popen[bytes], home: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not (home / "endpoint.json").exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The local stack did not start:\n{(home / 'run.log').read_text()}")
        time.sleep(0.05)


def _add_empty(settings: Settings, home: Path) -> None:
    """Add the empty function to the same API.

    It has the runtime, memory and role of the function that serves the API.
    """
    client = _clients(home)
    functions = client("lambda").list_functions()["Functions"]
    [like] = [f for f in functions if f["FunctionName"].startswith(f"readdo-{LIKE}")]
    same = {name: like[name] for name in ("Runtime", "Role", "MemorySize", "Timeout")}
    created = client("lambda").create_function(
        FunctionName=EMPTY_NAME, Handler="empty.handler", Code={"ZipFile": bundle(settings, EMPTY)}, **same
    )
    client("lambda").add_permission(
        FunctionName=EMPTY_NAME, StatementId="api", Action="lambda:InvokeFunction", Principal="apigateway.amazonaws.com"
    )
    [api] = client("apigatewayv2").get_apis()["Items"]
    integration = client("apigatewayv2").create_integration(
        ApiId=api["ApiId"],
        IntegrationType="AWS_PROXY",
        IntegrationUri=created["FunctionArn"],
        PayloadFormatVersion="2.0",
    )
    client("apigatewayv2").create_route(
        ApiId=api["ApiId"], RouteKey="GET /empty", Target=f"integrations/{integration['IntegrationId']}"
    )


def _clients(home: Path) -> Any:
    settings = dict(line.split("=", 1) for line in (home / "admin.env").read_text().splitlines())

    def client(service: str) -> Any:
        return boto3.client(
            service,
            endpoint_url=settings["AWS_ENDPOINT_URL"],
            region_name=settings["AWS_DEFAULT_REGION"],
            aws_access_key_id=settings["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=settings["AWS_SECRET_ACCESS_KEY"],
        )

    return client


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])
