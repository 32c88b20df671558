"""A piece of a backup: its data until it is stored, and the progress of the backup."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from readdo import files
from readdo.transfer.backup.item_snapshot import ItemSnapshot
from readdo.transfer.backup.zip_writer import LAST_BLOCK, Member, Packing, end, pack_member
from readdo.transfer.rows import BackupRow

# Long members: one line for each item, artifact version, proof job, document and assignment.
LINES = ("items", "artifacts", "jobs", "documents", "assignments")
PARTS = ("members", "directory", *LINES)  # of a stored piece, in this order
FORMAT, FORMAT_VERSION = "readdo-backup", 1
_CRC, _SIZE, _PACKED = range(3)


@dataclass
class BackupProgress:
    """State for the next slice, stored in the backup's row."""

    after: str = ""  # the sort key of the last item in the backup
    items: int = 0
    members: int = 0
    offset: int = 0  # of the next member
    pieces: list[list[Any]] = field(default_factory=list)  # the name and the parts' lengths of each
    lines: dict[str, list[int]] = field(default_factory=lambda: {name: [0, 0, 0] for name in LINES})
    gathered: bool = False
    items_gathered: bool = False
    section: int = 0  # after the items: proof jobs, documents, assignments
    jobs: int = 0  # of a backup that an earlier release began

    @classmethod
    def of(cls, row: BackupRow) -> "BackupProgress":
        return cls(**row["so_far"])

    @property
    def kept(self) -> dict[str, Any]:
        return asdict(self)


class ArchivePart:
    def __init__(self, so_far: BackupProgress, at: str) -> None:
        self.held = 0
        self._so_far, self.at = so_far, at
        self._members, self._directory = bytearray(), bytearray()
        for name in LINES:  # a backup that an earlier release began has fewer
            so_far.lines.setdefault(name, [0, 0, 0])
        self._lines = {name: Packing(so_far.lines[name][_CRC]) for name in LINES}
        if not so_far.pieces:
            self.add_file("readdo.json", _json({"format": FORMAT, "version": FORMAT_VERSION, "created_at": at}))

    def add_file(self, name: str, body: bytes) -> None:
        member, packed = pack_member(name, body, self.at)
        self._directory += member.entry(self._so_far.offset)
        self._members += packed
        self._so_far.offset += len(packed)
        self._so_far.members += 1
        self.held += len(packed)

    def add(self, snapshot: ItemSnapshot) -> None:
        self.add_line("items", snapshot.line)
        for artifact in snapshot.artifacts:
            self.add_line("artifacts", artifact)
        for name, body in snapshot.files:
            self.add_file(name, body)
        self._so_far.items += 1

    def add_line(self, name: str, line: Mapping[str, Any]) -> None:
        body = _json(line) + b"\n"
        self._lines[name].add(body)
        self.held += len(body)

    def store(self, name: str) -> None:
        packed = {line: packing.end() for line, packing in self._lines.items()}
        parts = (bytes(self._members), bytes(self._directory), *packed.values())
        files.put_once(name, b"".join(parts), "application/octet-stream")
        for line, packing in self._lines.items():
            _, size, length = self._so_far.lines[line]
            self._so_far.lines[line] = [packing.crc, size + packing.size, length + len(packed[line])]
        self._so_far.pieces.append([name, *map(len, parts)])


def assemble_zip(so_far: BackupProgress, at: str) -> Iterator[bytes]:
    """The bytes of the zip: the members of all pieces, the long members, and the directory."""
    yield from _read_parts(so_far, "members")
    offset, directory = so_far.offset, bytearray()
    for name in LINES:
        crc, size, packed = so_far.lines.get(name, [0, 0, 0])
        member = Member(f"{name}.jsonl", crc, packed + len(LAST_BLOCK), size, at)
        yield member.header()
        yield from _read_parts(so_far, name)
        yield LAST_BLOCK
        directory += member.entry(offset)
        offset += len(member.header()) + member.packed
    length = len(directory)
    for chunk in _read_parts(so_far, "directory"):
        length += len(chunk)
        yield chunk
    yield bytes(directory)
    yield end(so_far.members + len(LINES), length, offset)


def _read_parts(so_far: BackupProgress, part: str) -> Iterator[bytes]:
    place = PARTS.index(part)
    for name, *lengths in so_far.pieces:
        if place < len(lengths):
            yield from files.chunks(name, sum(lengths[:place]), lengths[place])


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
