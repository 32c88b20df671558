"""Double of Step Functions: records the executions to start and runs none."""

from typing import Any


class Executions:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.asked: list[dict[str, Any]] = []

    def start_execution(self, **request: Any) -> None:
        self.names.append(request["name"])
        self.asked.append(request)
