"""Download the files of one of a task's runs."""

from pathlib import Path
from typing import Any

from terminal import downloads
from terminal.api import at
from terminal.desk import names
from terminal.desk.words import Row, short
from terminal.failures import missing
from terminal.session import Session, put_json
from terminal.text import one_line


def download_files(session: Session, name: str, attempt: int | None, folder: Path) -> int:
    response = session.api.get(at("tasks", names.find(session.api, name)))
    run, files = _files(session, response.raw["runs"], attempt)
    if not files:
        message = f"Run {attempt} of this task has no files." if attempt else "No run of this task has files."
        raise missing(message, f"Show the runs: readdo task show {short(str(response.raw['task']['id']))}")
    saved = [_save(session, run, file, folder) for file in files]
    if session.json:
        put_json({"run": run, "files": saved})
    return 0


def _files(session: Session, runs: list[Row], attempt: int | None) -> tuple[Row, list[Row]]:
    """Return the newest run that has files, or the requested one."""
    for run in runs:
        if attempt in (None, run["attempt"]):
            evidence = session.api.get(at("runs", str(run["id"]))).raw["evidence"]
            if files := [file for file in evidence if file["stored"]]:
                return run, files
    return {}, []


def _save(session: Session, run: Row, file: Row, folder: Path) -> dict[str, Any]:
    place = at("runs", str(run["id"]), "evidence", str(file["number"]))
    path, new = downloads.save(session, place, one_line(str(file["name"])), file, folder)
    downloads.say(session, path, new)
    return {**file, "saved_as": str(path)}
