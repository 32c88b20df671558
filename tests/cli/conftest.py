import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import click.testing
import pytest
from rich.cells import cell_len

from readdo import runtime
from support.world import World
from terminal.main import readdo
from terminal.session import Surroundings

from .product import Product
from .server import TOKEN, Server, serving
from .wire import Reply, Request

NOW = datetime(2026, 11, 18, 13, 0, tzinfo=UTC)


@dataclass
class User:
    """A user at a terminal, or a script in a pipe; the test controls time and randomness."""

    server: Server
    home: Path
    live: bool = False
    has_keyboard: bool = False  # stdin and stdout are a terminal, whatever stderr is
    columns: int = 80
    colour: bool = False
    environ: dict[str, str] = field(default_factory=dict)
    waited: list[float] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    on_wait: Callable[[], None] = lambda: None
    wait: Callable[[threading.Event, float], bool] = lambda event, seconds: event.wait(seconds)
    now: datetime = NOW

    def run(self, *args: str, stdin: str | bytes | None = None) -> click.testing.Result:
        runner = click.testing.CliRunner(catch_exceptions=False)
        environ = {"READDO_URL": self.server.url, "READDO_TOKEN": TOKEN, "READDO_DEBUG": "1", "TERM": "xterm"}
        environ |= {} if self.colour else {"NO_COLOR": "1"}
        surroundings = Surroundings(
            environ={**environ, **self.environ},
            root=self.home,
            sleep=self._sleep,
            jitter=lambda: 0.5,
            now=lambda: self.now,
            wait=self.wait,
            browse=lambda link: self.opened.append(link) or True,
            live=lambda file: self.live or (self.has_keyboard and file in (sys.stdin, sys.stdout)),
            columns=lambda: self.columns,
        )
        return runner.invoke(readdo, args, input=stdin, obj=surroundings, color=True)

    def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        if len(self.waited) > 500:
            raise AssertionError("it waits for ever")
        self.on_wait()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Product()) as started:
        yield started
    if started.broken:
        raise started.broken[0]


@pytest.fixture
def product(server: Server) -> Product:
    return server.product


@pytest.fixture
def user(
    server: Server, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> User:
    """A script in a pipe; `live = True` makes it a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("drafts")))
    monkeypatch.setenv("TERM", "xterm")
    for name in [name for name in os.environ if name.startswith("READDO_")]:
        monkeypatch.delenv(name)
    return User(server, tmp_path)


@pytest.fixture
def collect_desk(fresh: World, product: Product, monkeypatch: pytest.MonkeyPatch) -> World:
    """The fake product hands each call of the desk to the functions, which print no metrics between the output."""
    monkeypatch.setattr(runtime, "_record", lambda *_: None)

    def forward(request: Request, *_: str) -> Reply:
        query = urlencode(request.query, doseq=True)
        path = quote(request.path, safe="/") + (f"?{query}" if query else "")
        raw = request.raw.decode() if request.raw else None
        answer = fresh.api(request.method, path, raw=raw, key=request.headers.get("Idempotency-Key", ""))
        return Reply(answer.status, answer.json, {})

    paths = "/(?:assignments|batches|documents|collect)(?:/.*|)"
    product.more = [(method, paths, forward) for method in ("GET", "POST", "PUT")]
    return fresh


@pytest.fixture
def live_user(user: User) -> User:
    user.live = True
    return user


def too_wide(text: str, columns: int = 80) -> list[str]:
    return [line for line in text.splitlines() if cell_len(line) > columns]


def error_of(result: Any) -> dict[str, Any]:
    return dict(json.loads(result.stderr)["error"])
