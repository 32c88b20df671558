"""A note in a reader's folder: what Read→Do manages in it is written anew, every other byte is theirs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WHAT = ("new", "written anew", "unchanged", "left alone")
_BLOCK = re.compile(rb"<!-- readdo:begin ([0-9A-Z]{26}) -->.*?<!-- readdo:end -->", re.DOTALL)
_SUFFIX = re.compile(r"([0-9A-Z]{10})\.md$")
_SAFE = re.compile(r'[^\\/:*?"<>|\x00-\x1f\x7f]{1,200}\.md')
_FRONT = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_OURS = ("status", "priority", "match_score", "updated_at")  # the rest of the front matter a reader may have changed


@dataclass(frozen=True)
class NoteResult:
    what: str
    words: str = ""


def known(folder: Path) -> dict[str, Path]:
    """The end of an id → the note that has it in its name, whatever else it is called by now."""
    return {found[1]: path for path in sorted(folder.glob("*.md")) if (found := _SUFFIX.search(path.name))}


def put(folder: Path, there: dict[str, Path], name: str, fresh: bytes) -> NoteResult:
    found = _SUFFIX.search(name)
    if not found or not _SAFE.fullmatch(name):
        return NoteResult("left alone", f"{name!r} is no name for a note; it was not written.")
    path = there.get(found[1], folder / name)
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return NoteResult("left alone", f"{path} is no plain file, and was left as it is.")
    if not path.exists():
        _write(path, fresh)
        return NoteResult("new")
    old = path.read_bytes()
    merged = merge(old, fresh)
    if merged is None:
        words = f"{path} has no marks of Read→Do any more, or not both of one note, and was left as it is."
        return NoteResult("left alone", words)
    if merged == old:
        return NoteResult("unchanged")
    _write(path, merged)
    return NoteResult("written anew")


def merge(old: bytes, fresh: bytes) -> bytes | None:
    """The old note with the fresh block in its place; None if there is no such place, or more than one."""
    ours = _BLOCK.search(fresh)
    places = list(_BLOCK.finditer(old))
    if ours is None or len(places) != 1 or places[0][1] != ours[1] or old.count(b"<!-- readdo:begin") != 1:
        return None
    block = ours[0].replace(b"\n", b"\r\n") if b"\r\n" in places[0][0] else ours[0]
    before, after = old[: places[0].start()], old[places[0].end() :]
    return _front(before, fresh) + block + after


def _front(before: bytes, fresh: bytes) -> bytes:
    found, new = _FRONT.match(before), _FRONT.match(fresh)
    if not found or not new:
        return before
    told = dict(_fields(new[1]))
    lines = [_told_anew(line, told) for line in found[1].splitlines(keepends=True)]
    return before[: found.start(1)] + b"".join(lines) + before[found.end(1) :]


def _fields(front: bytes) -> Iterator[tuple[str, bytes]]:
    for line in front.splitlines():
        name, colon, value = line.partition(b":")
        if colon and name.decode("utf-8", "replace") in _OURS:
            yield name.decode(), value


def _told_anew(line: bytes, told: dict[str, bytes]) -> bytes:
    name = line.partition(b":")[0].decode("utf-8", "replace")
    end = line[len(line.rstrip(b"\r\n")) :]
    return name.encode() + b":" + told[name] + end if name in told else line


def _write(path: Path, body: bytes) -> None:
    """Beside it first: who looks meanwhile sees the old note or the new one."""
    beside = path.with_name(f".{path.name[-40:]}.readdo")
    try:
        beside.write_bytes(body)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
