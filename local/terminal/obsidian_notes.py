"""Write notes into the user's folder.

In an existing note, only the block between Read→Do's marks and four lines of the front matter are replaced.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terminal.collect_files import is_inside

WHAT = ("new", "updated", "unchanged", "skipped")
_BLOCK = re.compile(rb"<!-- readdo:begin ([0-9A-Z]{26}) -->.*?<!-- readdo:end -->", re.DOTALL)
_SUFFIX = re.compile(r"([0-9A-Z]{10})\.md$")
_SAFE = re.compile(r'[^\\/:*?"<>|\x00-\x1f\x7f]{1,200}\.md')
_FRONT = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_OURS = ("status", "priority", "match_score", "updated_at")  # the user may have changed other front matter


@dataclass(frozen=True)
class NoteResult:
    what: str
    words: str = ""


def notes_by_id(folder: Path) -> dict[str, Path]:
    """Map the end of each id to the note whose file name contains it; the user may have renamed the rest."""
    return {match[1]: path for path in sorted(folder.glob("*.md")) if (match := _SUFFIX.search(path.name))}


def put(folder: Path, existing: dict[str, Path], name: str, fresh: bytes) -> NoteResult:
    match = _SUFFIX.search(name)
    if not match or not _SAFE.fullmatch(name):
        return NoteResult("skipped", f"{name!r} is not a valid name for a note; it was not written.")
    return _put(existing.get(match[1], folder / name), fresh)


def _put(path: Path, fresh: bytes) -> NoteResult:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return NoteResult("skipped", f"{path} is not a regular file and was not changed.")
    if not path.exists():
        _write(path, fresh)
        return NoteResult("new")
    old = path.read_bytes()
    merged = merge(old, fresh)
    if merged is None:
        message = f"{path} was not changed: the marks of Read→Do are missing or do not match."
        return NoteResult("skipped", message)
    if merged == old:
        return NoteResult("unchanged")
    _write(path, merged)
    return NoteResult("updated")


def put_document(folder: Path, path: str, body: bytes) -> NoteResult:
    """Write a document of the library: its front matter, then the rest between the marks."""
    if not is_inside(path):
        return NoteResult("skipped", f"{path!r} is not a valid path; it was not written.")
    front = _FRONT.match(body)
    end = front.end() if front else 0
    block_id = hashlib.sha256(path.encode()).hexdigest().upper()[:26].encode()
    rest = b"<!-- readdo:begin " + block_id + b" -->\n" + body[end:].strip(b"\r\n") + b"\n<!-- readdo:end -->\n"
    note = body[:end] + b"\n" + rest if end else rest
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    return _put(file, note)


def merge(old: bytes, fresh: bytes) -> bytes | None:
    """Replace the block in the old note; None unless the note has exactly one block of the same id."""
    ours = _BLOCK.search(fresh)
    places = list(_BLOCK.finditer(old))
    if ours is None or len(places) != 1 or places[0][1] != ours[1] or old.count(b"<!-- readdo:begin") != 1:
        return None
    block = ours[0].replace(b"\n", b"\r\n") if b"\r\n" in places[0][0] else ours[0]
    before, after = old[: places[0].start()], old[places[0].end() :]
    return _update_front_matter(before, fresh) + block + after


def _update_front_matter(before: bytes, fresh: bytes) -> bytes:
    front, new = _FRONT.match(before), _FRONT.match(fresh)
    if not front or not new:
        return before
    values = dict(_fields(new[1]))
    lines = [_update_line(line, values) for line in front[1].splitlines(keepends=True)]
    return before[: front.start(1)] + b"".join(lines) + before[front.end(1) :]


def _fields(front: bytes) -> Iterator[tuple[str, bytes]]:
    for line in front.splitlines():
        name, colon, value = line.partition(b":")
        if colon and name.decode("utf-8", "replace") in _OURS:
            yield name.decode(), value


def _update_line(line: bytes, values: dict[str, bytes]) -> bytes:
    name = line.partition(b":")[0].decode("utf-8", "replace")
    end = line[len(line.rstrip(b"\r\n")) :]
    return name.encode() + b":" + values[name] + end if name in values else line


def _write(path: Path, body: bytes) -> None:
    """Write to a temporary file, then rename, so that other programs see the old or the new note."""
    draft = path.with_name(f".{path.name[-40:]}.readdo")
    try:
        draft.write_bytes(body)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
