"""Files of the Collect desk, and a worker that takes a step on each wait of the terminal."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.collect_pool import output_of

from .conftest import User


def write(file: Path, value: Any) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return str(file)


def add(user: User, folder: Path, *assignments: dict[str, Any]) -> None:
    added = user.run("collect", "add", write(folder / "tasks.json", list(assignments)))
    assert added.exit_code == 0, added.stderr


class Program:
    """A worker: on each wait it takes its next step."""

    def __init__(self, folder: Path, *steps: Callable[[Path], None]) -> None:
        self._folder, self._steps = folder, list(steps)

    def step(self) -> None:
        waiting = sorted((self._folder / "input").glob("*.json"))
        if waiting and self._steps:
            self._steps.pop(0)(waiting[0])

    def output(self, batch: Path, output: Any) -> None:
        write(self._folder / "output" / batch.name, output)


def batch_of(file: Path) -> dict[str, Any]:
    content = json.loads(file.read_text())
    return {"batch_name": content["batch_name"], "ids": [task["id"] for task in content["tasks"]]}


def program_output(folder: Path, file: Path) -> None:
    write(folder / "output" / file.name, output_of(batch_of(file)))
