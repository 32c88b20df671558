"""The deployment under test: its API, its terminal client, and the items that the steps made."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

from terminal.endpoint import LOOPBACK

TEXT = (
    "Leases keep two workers from doing the same job. A worker writes its name and an end time onto the row. "
    "When the worker dies, the lease ends and another worker takes the job. A fencing token makes the storage refuse "
    "the late write of the first one. Start by listing every write, then add the condition to each."
)
INTENT = "smoke test: how to keep two workers apart"
COMMAND_SECONDS = 900


class SmokeFailure(Exception):
    """A step did not see what it must see."""


class LeftOut(Exception):
    """A step cannot run here. The text says why."""


@dataclass
class Deployment:
    root: Path
    url: str
    token: str
    items: list[str] = field(default_factory=list)  # deleted at the end

    @property
    def is_local(self) -> bool:
        return urlsplit(self.url).hostname in LOOPBACK

    def request(self, method: str, path: str, body: Any = None) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return requests.request(method, self.url + path, json=body, headers=headers, timeout=30)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.request(method, path, body)
        if not answer.ok:
            raise SmokeFailure(f"{method} {path} answered {answer.status_code}: {answer.text[:300]}")
        return answer.json() if answer.content else None

    def capture(self, number: int, *, process: bool = True) -> str:
        body = {"intent_text": INTENT, "title": f"Smoke test {number}", "content": f"{TEXT} Note {number}."}
        item = self.call("POST", "/capture", {**body, "process": process})["item"]
        self.items.append(str(item["id"]))
        return str(item["id"])

    def status(self, item_id: str) -> str:
        return str(self.call("GET", f"/items/{item_id}")["item"]["status"])

    def run_readdo(self, *arguments: str) -> str:
        """Run the terminal client. Returns what it printed."""
        command: Sequence[str] = [str(self.root / "local/readdo"), "--url", self.url, *arguments]
        environment = {"READDO_TOKEN": self.token, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        done = subprocess.run(  # noqa: S603 - our own program
            command, env=environment, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False
        )
        if done.returncode:
            raise SmokeFailure(f"readdo {arguments[0]} ended with exit code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def read_json(self, *arguments: str) -> Any:
        return json.loads(self.run_readdo("--json", *arguments))

    def delete_items(self) -> None:
        for first in range(0, len(self.items), 50):
            self.run_readdo("delete", "--yes", *self.items[first : first + 50])
