"""State of one `readdo` call: shared options, API client, output, and access to the machine."""

import json
import os
import random
import re
import shutil
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from terminal import endpoint

if TYPE_CHECKING:
    from terminal.api import Api, ApiResponse
    from terminal.screen import Screen
    from terminal.transport import Transport

# json.dumps does not escape these characters, and terminals act on some of them.
_UNSAFE = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Surroundings:
    """The machine's side effects, which tests replace: time, randomness, terminal, browser."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    root: Path = Path(__file__).resolve().parents[2]
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    wait: Callable[[threading.Event, float], bool] = lambda event, seconds: event.wait(seconds)
    browse: Callable[[str], bool] = webbrowser.open
    live: Callable[[IO[str]], bool] = lambda file: file.isatty()
    columns: Callable[[], int] = lambda: shutil.get_terminal_size().columns


class Session:
    def __init__(self, outside: Surroundings) -> None:
        self.outside = outside
        self.json = False
        self.quiet = False
        self.plain = False
        self.url = ""
        self.token = ""
        self._opened: list[Transport] = []

    @cached_property
    def endpoint(self) -> endpoint.Endpoint:
        return endpoint.find(self.outside.environ, self.outside.root, self.url, self.token)

    @cached_property
    def api(self) -> "Api":
        return self.connect()

    def connect(self, tries: int = 3, seconds: float | None = None) -> "Api":
        # Imported here so that commands without a server, such as --help, start fast.
        from terminal.api import Api  # noqa: PLC0415
        from terminal.transport import Transport  # noqa: PLC0415

        transport = Transport(self.endpoint, self.outside.sleep, self.outside.jitter, tries)
        transport.timeout = (seconds, seconds) if seconds else transport.timeout
        self._opened.append(transport)
        return Api(transport)

    def close(self) -> None:
        for transport in self._opened:
            transport.close()

    @cached_property
    def screen(self) -> "Screen":
        """Return the screen for the result (stdout)."""
        return self._screen(sys.stdout)

    @cached_property
    def notes(self) -> "Screen":
        """Return the screen for messages (stderr), so that a pipe gets only the result."""
        return self._screen(sys.stderr)

    def _screen(self, file: IO[str]) -> "Screen":
        from terminal.screen import Screen  # noqa: PLC0415 - the same

        environ = self.outside.environ
        colour = not self.plain and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        return Screen(file, live=self.outside.live(file), columns=self.outside.columns(), colour=colour)

    @property
    def can_prompt(self) -> bool:
        """Return true if a user can be prompted."""
        return self.outside.live(sys.stdin) and self.outside.live(sys.stderr)

    def note(self, text: str) -> None:
        if not self.quiet and not self.json:
            self.notes.paragraph(text)

    def tell(self, response: "ApiResponse", show: Callable[[dict[str, Any]], None]) -> None:
        if self.json:
            put_json(response.raw)
        else:
            show(response.data)


def put_json(document: Any) -> None:
    """Print one JSON document. Characters that a terminal acts on are escaped as JSON escapes."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps({} if document is None else document, ensure_ascii=not unicode, indent=2)
    click.echo(_UNSAFE.sub(lambda match: json.dumps(match[0])[1:-1], text))
