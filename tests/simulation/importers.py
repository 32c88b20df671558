"""Who brings files in: people who ask, send, start, and then press whatever button they see, or forget about it."""

import json
from collections.abc import Callable
from typing import Any

from readdo import files
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.machine import USER
from readdo.read.imports import import_commands
from readdo.read.imports.import_commands import ImportRequest
from readdo.store import keys
from simulation import makers

NOT_READABLE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
# What a person sees a button for, and how often it is pressed.
BUTTONS = {"start": 6, "pause": 12, "resume": 30, "cancel": 1}
Press = Callable[[Any, str, str, str], Any]
PRESSED: dict[str, Press] = {
    "start": import_commands.start,
    "pause": import_commands.pause,
    "resume": import_commands.resume,
    "cancel": import_commands.cancel,
}
BAD, TEXT, PAGE, TWIN = "bad", "text", "page", "twin"


class Importers:
    def __init__(self, users: Any) -> None:
        self.users, self.on, self.rng = users, users.on, users.rng
        self.said: dict[tuple[str, str], list[dict[str, Any]]] = {}  # owner and id → the lines of its file

    def visit(self, owner: str) -> None:
        if self.rng.random() < 0.6 or not self.said:
            self._bring(owner)
        else:
            self._press(*self.rng.choice(list(self.said)))

    def _bring(self, owner: str) -> None:
        said = [self._line(number) for number in range(self.rng.choice((2, 4, 7)))]
        readable = self.rng.random() > 0.15
        body = "\n".join(map(json.dumps, said)).encode() if readable else NOT_READABLE
        wish = ImportRequest("saved.jsonl", len(body), files.sha256(body), process=self.rng.random() < 0.4)
        key = f"i-{self.rng.getrandbits(40)}" if self.rng.random() < 0.9 else ""
        now = self.on.stage.now
        row = self._sent("import", owner, lambda: import_commands.create_import(self.on.table, owner, wish, key, now()))
        if row is None:
            return
        mine = owner, row["id"]
        self.said[mine] = said if readable else []
        if self.rng.random() < 0.85:
            self.on.bucket.files[import_commands.file_of(row)] = body
        self._pressed("start", *mine)
        for _ in range(self.rng.choice((0, 1, 3))):
            self.on.stage.sleep(self.rng.choice((0.3, 4.0, 40.0, 300.0)))
            self._press(*mine)

    def _line(self, number: int) -> dict[str, Any]:
        """Its title is its own: by it an item is known again."""
        line: dict[str, Any] = {"title": f"line {number} of {self.rng.getrandbits(40)}"}
        what = self.rng.random()
        if what < 0.1:
            return line
        if what < 0.5:
            return {**line, "content": makers.TEXTS["en"]}
        line |= {"url": self.rng.choice(makers.SITES), "note": "for the talk", "tags": [f"tag{number}"]}
        return {**line, "archived": True} if what < 0.7 else line

    def _press(self, owner: str, import_id: str) -> None:
        row = self.on.table.rows.get(keys.importing(owner, import_id), {})
        shown = [name for name in IMPORT.open_to(USER, row) if name in BUTTONS] if row else []
        names = shown if shown and self.rng.random() < 0.9 else list(BUTTONS)
        self._pressed(self.rng.choices(names, weights=[BUTTONS[name] for name in names])[0], owner, import_id)

    def _pressed(self, name: str, owner: str, import_id: str) -> None:
        now = self.on.stage.now
        self._sent(name, owner, lambda: PRESSED[name](self.on.table, owner, import_id, now()), id=import_id)

    def _sent(self, what: str, owner: str, ask: Callable[[], Any], **asks: Any) -> Any:
        return self.users._sent(what, ask, owner=owner, **asks)


def kinds_of(said: list[dict[str, Any]]) -> list[str]:
    """What each line is, as one who reads the file sees it."""
    seen: set[str] = set()
    found = []
    for line in said:
        url = line.get("url", "")
        found.append(TWIN if url in seen else PAGE if url else TEXT if "content" in line else BAD)
        seen |= {url} if url else set()
    return found
