"""Save a file of an export or a run: under a safe name, without overwriting another file."""

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote

from terminal import transfers
from terminal.failures import CommandFailure
from terminal.session import Session
from terminal.text import one_line

MOST_BYTES = 100_000_000
NAME_BYTES = 120
_FORBIDDEN = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f]')
_STARRED = re.compile(r"filename\*\s*=\s*([\w-]*)'[^']*'([^;]*)", re.IGNORECASE)
_PLAIN = re.compile(r'filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))', re.IGNORECASE)
# Device names on Windows, in every folder.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def save(session: Session, path: str, name: str, expected: Mapping[str, Any], folder: Path) -> tuple[Path, bool]:
    """Return the saved path, and whether the file is new. `expected` has its `bytes` and `sha256`."""
    body = BytesIO()
    bounded = {**expected, "bytes": min(int(expected["bytes"]), MOST_BYTES)}
    disposition = transfers.fetch(session, path, f"download of {name}", bounded, body)
    folder.mkdir(parents=True, exist_ok=True)
    return put(folder, name_of(disposition, name), body.getvalue())


def say(session: Session, path: Path, new: bool) -> None:
    """Print the saved path. In a pipe, print only the path, so that another program can read it."""
    if session.json:
        return
    if session.screen.live:
        session.screen.paragraph(str(path), first=("✓ ", "green") if new else ("= ", "dim"))
    else:
        session.screen.line(str(path))


def name_of(disposition: str, fallback: str) -> str:
    """Return a safe file name: no folder, not hidden, no forbidden characters."""
    for candidate in (_from_disposition(disposition), fallback):
        name = _FORBIDDEN.sub("_", one_line(re.split(r"[/\\]", candidate)[-1])).strip(" .")
        if name and not _DEVICES.fullmatch(name):
            return _short(name)
    return "file"


def _from_disposition(disposition: str) -> str:
    """Prefer `filename*` to `filename`: only the first can encode Chinese."""
    if starred := _STARRED.search(disposition):
        encoding = "latin-1" if starred[1].lower() == "iso-8859-1" else "utf-8"
        return unquote(starred[2].strip(), encoding=encoding, errors="replace")
    plain = _PLAIN.search(disposition)
    return re.sub(r"\\(.)", r"\1", plain[1]) if plain and plain[1] else plain[2] if plain else ""


def _short(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > 8:
        stem, dot, ending = name, "", ""
    limit = NAME_BYTES - len((dot + ending).encode())
    return stem.encode()[:limit].decode("utf-8", "ignore") + dot + ending


def put(folder: Path, name: str, body: bytes) -> tuple[Path, bool]:
    """Save under the name or the next free one. An existing file with the same bytes is reused."""
    stem, dot, ending = name.rpartition(".") if "." in name else (name, "", "")
    for number in range(1, 1000):
        path = folder / (name if number == 1 else f"{stem} ({number}){dot}{ending}")
        try:
            with path.open("xb") as file:
                _write(file, path, body)
            return path, True
        except FileExistsError:
            if path.is_file() and path.stat().st_size == len(body) and path.read_bytes() == body:
                return path, False
    raise CommandFailure(f"There are too many files named {name} in {folder}.", "Choose another folder: --to DIR")


def _write(file: BinaryIO, path: Path, body: bytes) -> None:
    try:
        file.write(body)
    except BaseException:
        path.unlink(missing_ok=True)  # a partial file would look complete
        raise
