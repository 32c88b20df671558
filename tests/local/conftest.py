"""Local stack of the fixture's template, started as a user starts it: in its own process."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stack.table_file import TableFile
from stack.table_queries import install

from .tables import TABLE, answer, plain_dynamodb

ROOT = Path(__file__).parents[2]
FIXTURE = Path(__file__).parent / "fixture"
SECRET = "sk-not-for-handlers"  # a dummy key that no handler may see


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def until(condition: Callable[[], Any], seconds: float = 30) -> Any:
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {seconds} s: {condition}"
        time.sleep(0.05)
    return value


class Stack:
    def __init__(self, home: Path, **environ: str) -> None:
        self.home, self.port = home, free_port()
        self.environ = {"OPENAI_API_KEY": SECRET, "HTTPS_PROXY": "http://192.0.2.1", "AWS_PROFILE": "work", **environ}
        self.process: subprocess.Popen[str]

    def launch(self) -> subprocess.Popen[str]:
        own = {"READDO_ROOT": str(FIXTURE), "READDO_LOCAL": str(self.home), "PORT": str(self.port)}
        return subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, str(ROOT / "local/run.py")],
            env={**os.environ, **own, **self.environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def start(self) -> "Stack":
        before = self.written()  # left by a killed stack
        self.process = self.launch()
        until(lambda: self.written() not in (None, before) or self.process.poll() is not None)
        assert self.process.poll() is None, self.output()
        self.url: str = json.loads(self.file.read_text())["url"]
        return self

    @property
    def file(self) -> Path:
        return self.home / "endpoint.json"

    def written(self) -> int | None:
        return self.file.stat().st_mtime_ns if self.file.exists() else None

    def output(self) -> str:
        logs = [p.read_text()[-3000:] for p in self.home.glob("*.log")]
        return "\n".join([self.process.communicate()[0] or "", *logs])

    def call(self, action: str, **body: Any) -> tuple[int, Any]:
        url, data, json_ = f"{self.url}/{action}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        request = urllib.request.Request(url, data, json_, method="POST")  # noqa: S310  # our own loopback address
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310  # the same
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or b"null")

    def execute(self, **input_: Any) -> dict[str, Any]:
        """Return the output of one execution of the fixture's state machine."""
        arn = self.call("start", input={"count": os.urandom(4).hex(), **input_})[1]["arn"]

        def finished() -> Any:
            execution = self.call("describe", arn=arn)[1]
            return execution if execution["status"] != "RUNNING" else None

        execution: dict[str, Any] = until(finished)
        assert execution["status"] == "SUCCEEDED", execution
        output: dict[str, Any] = execution["output"]
        return output

    def workers(self) -> list[int]:
        return [pid for pid, parent, _ in processes() if parent == self.process.pid]

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        code = self.process.wait(timeout=20)
        assert self.process.stdout
        self.process.stdout.close()
        return code


def processes() -> list[tuple[int, int, str]]:
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout  # noqa: S607  # ps is where the system has it
    rows = [line.split() for line in listing.splitlines()]
    return [(int(pid), int(parent), state) for pid, parent, state in rows if "Z" not in state]


def alive(pids: list[int]) -> list[int]:
    return sorted(set(pids) & {pid for pid, _, _ in processes()})


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    running = Stack(tmp_path_factory.mktemp("local") / "home").start()
    yield running
    running.end()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Stack]:
    """Stack that a test starts and ends itself."""
    own_stack = Stack(tmp_path / "home")
    yield own_stack
    if hasattr(own_stack, "process") and own_stack.process.poll() is None:
        own_stack.end(signal.SIGKILL)


@pytest.fixture
def file(tmp_path: Path) -> TableFile:
    return TableFile(tmp_path / "table")


@pytest.fixture
def dynamodb(file: TableFile) -> Iterator[Any]:
    module = plain_dynamodb("sqlite_dynamodb")
    install(module, file)
    assert answer(module._create_table(TABLE))[0] == 200
    yield module
    del sys.modules["sqlite_dynamodb"]


@pytest.fixture
def plain() -> Iterator[Any]:
    module = plain_dynamodb("plain_dynamodb")
    assert answer(module._create_table(TABLE))[0] == 200
    yield module
    del sys.modules["plain_dynamodb"]
