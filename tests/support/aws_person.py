"""A user who runs the cloud commands."""

import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pytest

from cloud.main import main
from terminal.session import Surroundings


@dataclass
class CommandResult:
    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return self.out + self.err


@dataclass
class User:
    """A user with their own project folder; the test controls time."""

    root: Path
    capture: pytest.CaptureFixture[str]
    patch: pytest.MonkeyPatch
    waited: list[float] = field(default_factory=list)
    on_wait: Callable[[], None] = lambda: None

    def run(self, command: str, typed: list[str] | None = None, stdin: str = "", **settings: str) -> CommandResult:
        """Run a command: on a terminal if `typed` is given, else in a pipe."""

        def live(_file: IO[str]) -> bool:
            return typed is not None

        self.patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed or []) or stdin))
        environ = {**os.environ, **settings, "TERM": "dumb"}
        code = main([command], Surroundings(environ, self.root, self._wait, live=live, columns=lambda: 100))
        captured = self.capture.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return CommandResult(code, captured.out, captured.err)

    def _wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.on_wait()


def next_command(outputs: dict[str, str]) -> str:
    return f"make destroy DATA=delete TABLE={outputs['TableName']} BUCKET={outputs['BucketName']}"


def confirm_twice(outputs: dict[str, str]) -> dict[str, Any]:
    return {"DATA": "delete", "CONFIRM": "readdo", "CONFIRM_DATA": outputs["TableName"]}


def data_settings(outputs: dict[str, str]) -> dict[str, Any]:
    return {"DATA": "delete", "TABLE": outputs["TableName"], "BUCKET": outputs["BucketName"]}
