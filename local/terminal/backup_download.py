"""Request a backup, wait for it, and save it as a zip file or as notes."""

import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from terminal import large_downloads, obsidian_notes
from terminal.api import ApiResponse, at
from terminal.failures import FAILED, REFUSED, CommandFailure
from terminal.polling_backoff import Pause
from terminal.session import Session, put_json

NOTE_BYTES = 1_000_000


def to_file(session: Session, file: Path | None, fresh: bool) -> int:
    response = _request_backup(session, fresh)
    path = file or Path(f"readdo-backup-{response.raw['backup']['created_at'][:10]}.zip")
    if path.exists():
        raise CommandFailure(
            f"{path} already exists.",
            f"Choose another file name: readdo backup {path.stem}-2.zip",
            exit_code=REFUSED,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        large_downloads.fetch(session, _file_path(response), response.raw["backup"], Path(scratch) / "backup").rename(
            path
        )
    if session.json:
        put_json(response.raw)
    else:
        session.screen.line(str(path))
    return 0


def into(session: Session, folder: Path, fresh: bool) -> int:
    response = _request_backup(session, fresh)
    folder.mkdir(parents=True, exist_ok=True)
    done: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        archive = large_downloads.fetch(session, _file_path(response), response.raw["backup"], Path(scratch) / "backup")
        with zipfile.ZipFile(archive) as backup:
            existing = obsidian_notes.notes_by_id(folder)
            for member in backup.infolist():
                if member.filename.startswith("notes/") and member.file_size <= NOTE_BYTES:
                    result = obsidian_notes.put(
                        folder, existing, member.filename.removeprefix("notes/"), backup.read(member)
                    )
                    done[result.what] += 1
                    if result.words:
                        session.note(result.words)
    if session.json:
        put_json({**response.raw, "notes": dict(done)})
    else:
        session.screen.line(str(folder))
        session.note(", ".join(f"{done[what]} {what}" for what in obsidian_notes.WHAT if done[what]) or "No items yet.")
    return 0


def _file_path(response: ApiResponse) -> str:
    return at("backups", str(response.raw["backup"]["id"]), "file")


def _request_backup(session: Session, fresh: bool) -> ApiResponse:
    """Start a backup and wait for it without a limit.

    After an interruption, the same call finds that backup again.
    """
    response = session.api.get("/export-all", {"fresh": "true"} if fresh else None)
    pause, last_count = Pause(session.outside.sleep), -1
    while response.status == 202:
        backup: dict[str, Any] = response.raw["backup"]
        if backup["items"] != last_count:
            last_count = backup["items"]
            session.note(f"Backing up… {last_count} items so far")
        pause()
        response = session.api.get(at("backups", str(backup["id"])))
    if response.raw["backup"]["status"] == "FAILED":
        failure = response.data["backup"].get("failure") or {}
        message = str(failure.get("message") or "The backup failed.")
        code = str(failure.get("error_code") or "BACKUP_FAILED")
        raise CommandFailure(message, "Try again: readdo backup", exit_code=FAILED, code=code)
    return response
