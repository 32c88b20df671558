"""HTTP client with a persistent connection."""

import json
from http.client import HTTPConnection
from typing import Any

from bench.local_stack import PATIENCE, Stack


class Caller:
    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._connection = HTTPConnection(stack.host, timeout=PATIENCE)

    def request(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self._stack.token}", "Content-Type": "application/json"}
        text = json.dumps(body).encode() if body is not None else None
        self._connection.request(method, self._stack.base + path, text, headers)
        response = self._connection.getresponse()
        content = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{method} {path}: {response.status} {content[:500].decode(errors='replace')}")
        return json.loads(content)
