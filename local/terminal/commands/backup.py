"""`readdo backup` and `restore`: save everything as a zip file or as notes, and restore a backup."""

import hashlib
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

import click

from terminal import obsidian_notes, transfers
from terminal.api import ApiResponse, at
from terminal.command import verb
from terminal.failures import FAILED, REFUSED, CommandFailure, job_failed
from terminal.polling import Pause
from terminal.session import Session, put_json
from terminal.text import one_line
from terminal.words import Row

NOTE_BYTES = 1_000_000
_DOCUMENTS = "documents/"
LISTED = 20  # failures that are printed


@verb("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--into",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a note for each item and each document into this folder, such as an Obsidian vault.",
)
@click.option("--fresh", is_flag=True, help="Create a new backup, even if one is less than ten minutes old.")
@click.pass_obj
def backup(session: Session, file: Path | None, folder: Path | None, fresh: bool) -> None:
    """Back up everything: items, artifact versions, history, texts, documents and files.

    Writes one zip: FILE, or readdo-backup-DATE.zip in the current folder. Existing files are not overwritten.

    With --into, writes one note per item, and the documents of the library in documents/. In an existing note, only the
    part between the marks of Read→Do and the status, priority, score and time in the front matter are updated; your own
    text is kept.
    """
    if file and folder:
        raise click.UsageError("Use FILE or --into FOLDER, not both.")
    response = session.api.get("/export-all", {"fresh": "true"} if fresh else None)
    # After an interruption, the same call finds that backup again.
    response = _wait(session, response, "backup", "items", "Backing up")
    if response.raw["backup"]["status"] == "FAILED":
        raise job_failed(response.data["backup"], "backup", "Try again: readdo backup")
    if folder:
        _write_notes(session, response, folder)
    else:
        _write_file(session, response, file)


@verb("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_obj
def restore(session: Session, file: Path) -> int:
    """Restore a backup from a zip file of `readdo backup`.

    Restores items with their status, versions, history, texts and files. Existing items are not changed, so restoring
    the same file twice is safe. Items that were processing during the backup are restored unprocessed: run `readdo
    process ID` for them.
    """
    with file.open("rb") as stream:
        request = {"size": file.stat().st_size, "sha256": hashlib.file_digest(stream, "sha256").hexdigest()}
        if not request["size"]:
            raise CommandFailure(f"{file} is empty.", "Use a zip file from `readdo backup`.")
        offer = session.api.post("/restore", request)
        session.note(f"Uploading {file.name}…")
        transfers.upload(session, offer.raw["upload"], stream, "Try again; nothing was changed.")
    response = session.api.post(at("restores", str(offer.raw["restore"]["id"]), "start"))
    response = _wait(session, response, "restore", "restored", "Restoring")
    session.tell(response, lambda data: _show_restored(session, data["restore"]))
    if response.data["restore"]["status"] == "FAILED":
        raise job_failed(response.data["restore"], "restore")
    return FAILED if response.data["restore"]["refused"] else 0


def _write_file(session: Session, response: ApiResponse, file: Path | None) -> None:
    path = file or Path(f"readdo-backup-{response.raw['backup']['created_at'][:10]}.zip")
    if path.exists():
        raise CommandFailure(
            f"{path} already exists.",
            f"Choose another file name: readdo backup {path.stem}-2.zip",
            exit_code=REFUSED,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        _download(session, response, Path(scratch) / "backup").rename(path)
    session.tell(response, lambda _: session.screen.line(str(path)))


def _write_notes(session: Session, response: ApiResponse, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as scratch,
        zipfile.ZipFile(_download(session, response, Path(scratch) / "backup")) as archive,
    ):
        existing = obsidian_notes.notes_by_id(folder)
        for member in archive.infolist():
            if member.filename.startswith("notes/") and member.file_size <= NOTE_BYTES:
                name = member.filename.removeprefix("notes/")
                result = obsidian_notes.put(folder, existing, name, archive.read(member))
            elif member.filename.startswith(_DOCUMENTS) and member.file_size <= NOTE_BYTES:
                path = member.filename.removeprefix(_DOCUMENTS)
                result = obsidian_notes.put_document(folder / "documents", path, archive.read(member))
            else:
                continue
            done[result.what] += 1
            if result.words:
                session.note(result.words)
    if session.json:
        put_json({**response.raw, "notes": dict(done)})
    else:
        session.screen.line(str(folder))
        session.note(", ".join(f"{done[what]} {what}" for what in obsidian_notes.WHAT if done[what]) or "No items yet.")


def _download(session: Session, response: ApiResponse, to: Path) -> Path:
    backup = response.raw["backup"]
    with to.open("wb") as file:
        transfers.fetch(session, at("backups", str(backup["id"]), "file"), "downloaded file", backup, file)
    return to


def _show_restored(session: Session, result: Row) -> None:
    message = f"Restored {result['restored']}, {result['known']} already existed, {result['refused']} failed."
    session.screen.line(message)
    for refusal in result["told"][:LISTED]:
        session.note(f"{one_line(refusal['item'])}: {one_line(refusal['message'])}")


def _wait(session: Session, response: ApiResponse, name: str, counter: str, action: str) -> ApiResponse:
    """Poll a backup or a restore until it ends, without a limit."""
    pause, printed = Pause(session.outside.sleep), -1
    while response.status == 202:
        row = response.raw[name]
        if row[counter] != printed:
            printed = row[counter]
            session.note(f"{action}… {printed} items so far")
        pause()
        response = session.api.get(at(f"{name}s", str(row["id"])))
    return response
