"""A backup, from asking for it to its file or its notes on this machine."""

import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from terminal import large_downloads, notes
from terminal.api import ApiResponse, at
from terminal.failures import FAILED, REFUSED, CommandFailure
from terminal.pause import Pause
from terminal.session import Session, put_json

NOTE_BYTES = 1_000_000


def to_file(session: Session, file: Path | None, fresh: bool) -> int:
    answer = _made(session, fresh)
    path = file or Path(f"readdo-backup-{answer.raw['backup']['created_at'][:10]}.zip")
    if path.exists():
        raise CommandFailure(
            f"{path} is there already, and nothing is written over it.",
            f"Name another file: readdo backup {path.stem}-2.zip",
            exit_code=REFUSED,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as beside:
        large_downloads.fetch(session, _file(answer), answer.raw["backup"], Path(beside) / "backup").rename(path)
    if session.json:
        put_json(answer.raw)
    else:
        session.screen.line(str(path))
    return 0


def into(session: Session, folder: Path, fresh: bool) -> int:
    answer = _made(session, fresh)
    folder.mkdir(parents=True, exist_ok=True)
    done: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as beside:
        kept = large_downloads.fetch(session, _file(answer), answer.raw["backup"], Path(beside) / "backup")
        with zipfile.ZipFile(kept) as opened:
            known = notes.known(folder)
            for member in opened.infolist():
                if member.filename.startswith("notes/") and member.file_size <= NOTE_BYTES:
                    told = notes.put(folder, known, member.filename.removeprefix("notes/"), opened.read(member))
                    done[told.what] += 1
                    if told.words:
                        session.note(told.words)
    if session.json:
        put_json({**answer.raw, "notes": dict(done)})
    else:
        session.screen.line(str(folder))
        session.note(
            ", ".join(f"{done[what]} {what}" for what in notes.WHAT if done[what]) or "There are no items yet."
        )
    return 0


def _file(answer: ApiResponse) -> str:
    return at("backups", str(answer.raw["backup"]["id"]), "file")


def _made(session: Session, fresh: bool) -> ApiResponse:
    """Asked for, and waited for however long it takes; somebody who leaves meanwhile finds it by asking again."""
    answer = session.api.get("/export-all", {"fresh": "true"} if fresh else None)
    pause, before = Pause(session.outside.sleep), -1
    while answer.status == 202:
        backup: dict[str, Any] = answer.raw["backup"]
        if backup["items"] != before:
            before = backup["items"]
            session.note(f"Taking out … {before} items so far")
        pause()
        answer = session.api.get(at("backups", str(backup["id"])))
    if answer.raw["backup"]["status"] == "FAILED":
        failure = answer.data["backup"].get("failure") or {}
        words = str(failure.get("message") or "The backup failed.")
        code = str(failure.get("error_code") or "BACKUP_FAILED")
        raise CommandFailure(words, "Ask again: readdo backup", exit_code=FAILED, code=code)
    return answer
