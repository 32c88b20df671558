"""Whoever gives the commands."""

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
class Told:
    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return self.out + self.err


@dataclass
class Person:
    """Whoever gives the commands, in a folder of their own, with time in the test's hand."""

    root: Path
    capture: pytest.CaptureFixture[str]
    patch: pytest.MonkeyPatch
    waited: list[float] = field(default_factory=list)
    on_wait: Callable[[], None] = lambda: None

    def run(self, command: str, typed: list[str] | None = None, stdin: str = "", **said: str) -> Told:
        """With `typed` at a terminal; without, in a pipe."""

        def live(_file: IO[str]) -> bool:
            return typed is not None

        self.patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed or []) or stdin))
        environ = {**os.environ, **said, "TERM": "dumb"}
        code = main([command], Surroundings(environ, self.root, self._wait, live=live, columns=lambda: 100))
        found = self.capture.readouterr()
        assert "Traceback" not in found.out + found.err
        return Told(code, found.out, found.err)

    def _wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.on_wait()


def again(outputs: dict[str, str]) -> str:
    return f"make destroy DATA=delete TABLE={outputs['TableName']} BUCKET={outputs['BucketName']}"


def told_twice(outputs: dict[str, str]) -> dict[str, Any]:
    return {"DATA": "delete", "CONFIRM": "readdo", "CONFIRM_DATA": outputs["TableName"]}


def of_data(outputs: dict[str, str]) -> dict[str, Any]:
    return {"DATA": "delete", "TABLE": outputs["TableName"], "BUCKET": outputs["BucketName"]}
