"""The executions that AWS is asked to start, where none is to run."""

from typing import Any


class Executions:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.asked: list[dict[str, Any]] = []

    def start_execution(self, **asked: Any) -> None:
        self.names.append(asked["name"])
        self.asked.append(asked)
