"""Hand batches to another program through files in a folder.

input/NAME.json     the input of a batch in hand
documents/PATH      its documents: those that exist are put here, and the program writes the others
output/NAME.json    the output, written by the program
archive/NAME/       the files of a batch that has ended
"""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from terminal import collect_output
from terminal.api import ApiResponse, at
from terminal.collect_files import document_at, documents_of, is_inside, read_json, write_json
from terminal.failures import MISSING, REFUSED, CommandFailure
from terminal.polling import Pause
from terminal.session import Session
from terminal.text import clean_json
from terminal.worker.interruptions import Stop

_LOOKS = 20  # at the folder, between two looks at the state of the batch
_ENDED = ("applied", "failed", "timed_out")


class FolderWorker:
    def __init__(self, session: Session, folder: Path, stop: Stop) -> None:
        self._session, self._stop, self._folder = session, stop, folder
        self._refused: dict[str, str] = {}  # batch → digest of the output that was refused
        self._looks = 0

    def work(self, *, once: bool) -> int:
        for name in ("input", "output", "documents", "archive"):
            (self._folder / name).mkdir(parents=True, exist_ok=True)
        pause, is_announced = Pause(self._stop.rest, 1.0, 5.0), False
        while not self._stop.requested:
            names = sorted(file.stem for file in (self._folder / "input").glob("*.json"))
            if names:
                ended = [name for name in names if self._handle(name)]
                if ended and once:
                    return 0
                if ended:
                    pause.reset()
                    continue
            elif self._pick():
                pause.reset()
                is_announced = False
            elif once:
                self._session.note("Nothing is pending.")
                return 0
            elif not is_announced:
                self._session.note("Nothing is pending. Waiting for assignments. Ctrl-C stops.")
                is_announced = True
            pause()
        return self._stop.exit_code

    def _pick(self) -> bool:
        response = self._session.api.post("/batches", {"worker": "file"})
        if response.status == 204:
            return False
        batch = response.raw["batch"]
        name = str(batch["batch_name"])
        content = self._session.api.get(at("batches", name, "input")).raw
        for path in dict.fromkeys(path for task in content["tasks"] for path in documents_of(task)):
            self._save_document(path)
        write_json(self._folder / "input" / f"{name}.json", content)
        count = len(batch["ids"])
        self._session.note(
            f"{self._folder / 'input' / f'{name}.json'}: {count} assignments. Waiting for "
            f"{self._folder / 'output' / f'{name}.json'} until {batch['deadline']}."
        )
        return True

    def _save_document(self, path: str) -> None:
        """A file that is there stays: it may be work that has not been sent yet."""
        file = self._folder / "documents" / path
        if not is_inside(path) or file.exists():
            return
        try:
            content = self._session.api.get(document_at(path)).raw["content"]
        except CommandFailure as failure:
            if failure.exit_code == MISSING:
                return  # the worker creates it
            raise
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8", newline="")

    def _handle(self, name: str) -> bool:
        """Send the output if there is one. True if the batch has ended."""
        file = self._folder / "output" / f"{name}.json"
        body = file.read_bytes() if file.exists() else b""
        digest = hashlib.sha256(body).hexdigest()
        if body and self._refused.get(name) != digest:
            return self._send(name, body, digest)
        self._looks += 1
        return self._looks % _LOOKS == 1 and self._has_ended(name)

    def _has_ended(self, name: str) -> bool:
        try:
            status = self._session.api.get(at("batches", name)).raw["batch"]["status"]
        except CommandFailure as failure:
            if failure.exit_code != MISSING:
                raise
            status = "unknown to this server"
        if status in _ENDED or "unknown" in status:
            self._session.note(f"Batch {name} is {status}. Its files are moved to {self._archive(name)}.")
            return True
        return False

    def _send(self, name: str, body: bytes, digest: str) -> bool:
        try:
            output = read_json(body.decode("utf-8-sig"))
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            # The program may still be writing. An output that is not JSON would fail the batch.
            return self._refuse(name, digest, [{"pointer": "", "message": f"is not valid JSON yet: {error}"}])
        if not isinstance(output, dict):
            return self._refuse(name, digest, [{"pointer": "", "message": "must be a JSON object"}])
        try:
            self._send_documents(name, output)
            response = self._put(name, output)
        except UnicodeDecodeError:
            return self._refuse(name, digest, [], "A file in documents/ is not UTF-8 text. Nothing was sent.")
        except CommandFailure as failure:
            if failure.exit_code == REFUSED and failure.status == 409:
                self._session.notes.paragraph(failure.message, "red", first="✗ ")
                return self._has_ended(name)
            if failure.status and failure.status < 500 and failure.status not in (401, 403, 429):
                return self._refuse(name, digest, failure.details.get("faults") or [], failure.message)
            raise
        if response.status == 202:
            return False  # looked at again after the next pause
        collect_output.show_moved(self._session.screen, clean_json(response.raw["moved"]))
        self._session.note(f"Applied. The files of the batch are in {self._archive(name)}.")
        return True

    def _put(self, name: str, output: dict[str, Any]) -> ApiResponse:
        return self._session.api.put(at("batches", name, "output"), output, "")

    def _refuse(self, name: str, digest: str, faults: list[Any], message: str = "") -> bool:
        self._refused[name] = digest
        file = self._folder / "output" / f"{name}.json"
        self._session.notes.paragraph(message or "This output cannot be sent.", "red", first="✗ ")
        collect_output.show_faults(self._session.notes, {"faults": clean_json(faults)})
        self._session.note(f"Correct {file}. It is sent again once it has changed.")
        return False

    def _send_documents(self, name: str, output: dict[str, Any]) -> None:
        """Store the documents of this batch that the program has written."""
        for path in self._documents(name, output):
            file = self._folder / "documents" / path
            if file.is_file():
                content = file.read_text(encoding="utf-8-sig", errors="strict")
                self._session.api.put(document_at(path), {"content": content}, "")

    def _documents(self, name: str, output: dict[str, Any]) -> list[str]:
        content = read_json((self._folder / "input" / f"{name}.json").read_text(encoding="utf-8"))
        paths = [path for task in content.get("tasks", []) for path in documents_of(task)]
        results = output.get("results")
        for result in results if isinstance(results, list) else []:
            more = result.get("result") if isinstance(result, dict) else None
            paths += more.get("documents") or [] if isinstance(more, dict) else []
        return [path for path in dict.fromkeys(filter(_is_text, paths)) if is_inside(path)]

    def _archive(self, name: str) -> Path:
        target = self._folder / "archive" / name
        target.mkdir(parents=True, exist_ok=True)
        outputs = self._folder / "output" / f"{name}.json"
        inputs = self._folder / "input" / f"{name}.json"
        for path in self._documents(name, _read_object(outputs)):
            file = self._folder / "documents" / path
            if file.is_file():
                (target / "documents" / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.move(file, target / "documents" / path)
        for file, kind in ((outputs, "output.json"), (inputs, "input.json")):
            if file.exists():
                shutil.move(file, target / kind)
        return target


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _read_object(file: Path) -> dict[str, Any]:
    try:
        value = read_json(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
