"""Users who import files: they create, upload, start, and then use any control or leave."""

import json
from collections.abc import Callable
from typing import Any

from readdo import files
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.state_machine import USER
from readdo.transfer import transfer_keys
from readdo.transfer.imports import import_commands
from readdo.transfer.imports.import_commands import ImportRequest
from simulation import makers

NOT_READABLE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
# Buttons that a user sees, and their weights.
BUTTONS = {"start": 6, "pause": 12, "resume": 30, "cancel": 1}
Press = Callable[[Any, str, str, str], Any]
COMMANDS: dict[str, Press] = {
    "start": import_commands.start,
    "pause": import_commands.pause,
    "resume": import_commands.resume,
    "cancel": import_commands.cancel,
}
BAD, TEXT, PAGE, TWIN = "bad", "text", "page", "twin"


class Importers:
    def __init__(self, users: Any) -> None:
        self.users, self.history, self.rng = users, users.history, users.rng
        self.lines: dict[tuple[str, str], list[dict[str, Any]]] = {}  # (owner, id) → the lines of its file

    def visit(self, owner: str) -> None:
        if self.rng.random() < 0.6 or not self.lines:
            self._import_file(owner)
        else:
            self._press_any(*self.rng.choice(list(self.lines)))

    def _import_file(self, owner: str) -> None:
        lines = [self._line(number) for number in range(self.rng.choice((2, 4, 7)))]
        readable = self.rng.random() > 0.15
        body = "\n".join(map(json.dumps, lines)).encode() if readable else NOT_READABLE
        request = ImportRequest("saved.jsonl", len(body), files.sha256(body), process=self.rng.random() < 0.4)
        key = f"i-{self.rng.getrandbits(40)}" if self.rng.random() < 0.9 else ""
        now = self.history.stage.now
        row = self._request(
            "import", owner, lambda: import_commands.create_import(self.history.table, owner, request, key, now())
        )
        if row is None:
            return
        import_key = owner, row["id"]
        self.lines[import_key] = lines if readable else []
        if self.rng.random() < 0.85:
            self.history.bucket.files[import_commands.file_of(row)] = body
        self._press("start", *import_key)
        for _ in range(self.rng.choice((0, 1, 3))):
            self.history.stage.sleep(self.rng.choice((0.3, 4.0, 40.0, 300.0)))
            self._press_any(*import_key)

    def _line(self, number: int) -> dict[str, Any]:
        """Return a line with a unique title, which identifies its item later."""
        line: dict[str, Any] = {"title": f"line {number} of {self.rng.getrandbits(40)}"}
        choice = self.rng.random()
        if choice < 0.1:
            return line
        if choice < 0.5:
            return {**line, "content": makers.TEXTS["en"]}
        line |= {"url": self.rng.choice(makers.SITES), "note": "for the talk", "tags": [f"tag{number}"]}
        return {**line, "archived": True} if choice < 0.7 else line

    def _press_any(self, owner: str, import_id: str) -> None:
        row = self.history.table.rows.get(transfer_keys.import_job(owner, import_id), {})
        visible = [name for name in IMPORT.open_to(USER, row) if name in BUTTONS] if row else []
        names = visible if visible and self.rng.random() < 0.9 else list(BUTTONS)
        self._press(self.rng.choices(names, weights=[BUTTONS[name] for name in names])[0], owner, import_id)

    def _press(self, name: str, owner: str, import_id: str) -> None:
        now = self.history.stage.now
        self._request(name, owner, lambda: COMMANDS[name](self.history.table, owner, import_id, now()), id=import_id)

    def _request(self, what: str, owner: str, ask: Callable[[], Any], **asks: Any) -> Any:
        return self.users._request(what, ask, owner=owner, **asks)


def kinds_of(lines: list[dict[str, Any]]) -> list[str]:
    """Return the kind of each line, as a reader of the file sees it."""
    urls: set[str] = set()
    kinds = []
    for line in lines:
        url = line.get("url", "")
        kinds.append(TWIN if url in urls else PAGE if url else TEXT if "content" in line else BAD)
        urls |= {url} if url else set()
    return kinds
