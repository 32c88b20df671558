"""A file, saved under the name that a stranger gives it: a name, never a path, and never over something else."""

import re
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from terminal.failures import CommandFailure
from terminal.text import one_line

NAME_BYTES = 120
_FORBIDDEN = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f]')
_STARRED = re.compile(r"filename\*\s*=\s*([\w-]*)'[^']*'([^;]*)", re.IGNORECASE)
_PLAIN = re.compile(r'filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))', re.IGNORECASE)
# Names that mean a device to Windows, wherever they stand.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def name_of(said: str, otherwise: str) -> str:
    """The name that the server gives, reduced to a name: no folder, nothing hidden, nothing that cannot be typed."""
    for given in (_of_disposition(said), otherwise):
        name = _FORBIDDEN.sub("_", one_line(re.split(r"[/\\]", given)[-1])).strip(" .")
        if name and not _DEVICES.fullmatch(name):
            return _short(name)
    return "file"


def _of_disposition(said: str) -> str:
    """`filename*` before `filename`: the first can say Chinese."""
    if starred := _STARRED.search(said):
        encoding = "latin-1" if starred[1].lower() == "iso-8859-1" else "utf-8"
        return unquote(starred[2].strip(), encoding=encoding, errors="replace")
    plain = _PLAIN.search(said)
    return re.sub(r"\\(.)", r"\1", plain[1]) if plain and plain[1] else plain[2] if plain else ""


def _short(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > 8:
        stem, dot, ending = name, "", ""
    room = NAME_BYTES - len((dot + ending).encode())
    return stem.encode()[:room].decode("utf-8", "ignore") + dot + ending


def put(folder: Path, name: str, body: bytes) -> tuple[Path, bool]:
    """Under its name, or the next that is free; the same bytes are not saved twice."""
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
    raise CommandFailure(f"There are too many files named {name} in {folder}.", "Name another folder: --to DIR")


def _write(file: BinaryIO, path: Path, body: bytes) -> None:
    try:
        file.write(body)
    except BaseException:
        path.unlink(missing_ok=True)  # half a file would look like a whole one
        raise
