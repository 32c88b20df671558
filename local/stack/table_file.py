"""The SQLite file of the local table: transactions, durability, and generations.

A copy of the data folder at any moment must be readable, also a copy that is made file by file. So a file is never
changed in place: writes are appended to its write-ahead log, which is never checkpointed. When the log is long, the
rows are written into the file of the next generation, and the previous generation stays until the one after.
"""

import asyncio
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from stack.table_rows import SCHEMA, Layout, read_row, write_row

log = logging.getLogger("readdo.table")

SYNC_PERIOD = 0.5  # seconds; a power failure loses acknowledged writes of this time at most
LOG_LIMIT = 64 * 2**20  # bytes of the write-ahead log before the next generation is written
FORMAT = 1


class DamagedError(Exception):
    """No generation of the table can be read."""


class TableFile:
    def __init__(self, folder: Path, *, after_kill: bool = True) -> None:
        """Open the newest file. After a kill it is read once as a whole, to find damage."""
        folder.mkdir(mode=0o700, exist_ok=True)
        self.folder, self.is_checked = folder, after_kill
        self.lock = threading.RLock()
        self.path, self.connection = self._newest_readable()
        self.connection.executescript(SCHEMA)
        self.changed: set[tuple[int, str, str]] | None = None  # rows written while the next generation is prepared
        self.layouts: dict[int, Layout] = {}
        self.previous: sqlite3.Connection | None = None
        self.synced = -1

    def _newest_readable(self) -> tuple[Path, sqlite3.Connection]:
        found = generations(self.folder)
        for path in found:
            try:
                return path, open_file(path, is_checked=self.is_checked)
            except sqlite3.DatabaseError:
                log.exception("%s is damaged, trying the previous generation", path)
        if found:
            raise DamagedError(f"No file of the table in {self.folder} can be read. Restore a backup of that folder.")
        path = self.folder / "table-00000001.db"
        return path, open_file(path, is_checked=False)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in one transaction; a block inside another joins its transaction."""
        with self.lock:
            if self.connection.in_transaction:
                yield
                return
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    async def keep_durable(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self.sync)
                if log_size(self.path) > LOG_LIMIT:
                    await asyncio.to_thread(self.start_generation)
            except (OSError, sqlite3.Error):
                log.exception("saving the table failed; retrying")
            await asyncio.sleep(SYNC_PERIOD)

    def sync(self) -> None:
        """Write the log to the disk, so that its writes survive a power failure."""
        changes = self.connection.total_changes
        if changes != self.synced and log_size(self.path):
            sync_path(log_path(self.path))
            sync_path(self.folder)
            self.synced = changes

    def start_generation(self) -> None:
        """Write all rows to a new file and continue there. Only the last step stops other writes."""
        draft = self.folder / "draft.db"
        for leftover in self.folder.glob("draft.db*"):
            leftover.unlink()
        with self.lock:
            self.changed = set()
        # A connection of its own: it reads one state of the table and does not stop writes.
        with closing(sqlite3.connect(self.path)) as reader:
            reader.execute("VACUUM INTO ?", (str(draft),))
        with self.lock:
            with closing(sqlite3.connect(draft)) as copy, copy:
                for number, pk, sk in self.changed:
                    item = read_row(self.connection, number, (pk, sk))
                    write_row(copy, number, self.layouts[number], (pk, sk), item)
            self.changed = None
            sync_path(draft)
            kept, self.path = self.path, following(generations(self.folder)[0])
            draft.rename(self.path)
            sync_path(self.folder)
            # Kept open: closing the last connection of a file writes its log into it.
            self.previous, self.connection = self.connection, open_file(self.path, is_checked=False)
            self.synced = -1
        for old in generations(self.folder):
            if old not in (self.path, kept):
                for file in self.folder.glob(f"{old.name}*"):
                    file.unlink()


def open_file(path: Path, *, is_checked: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    problems = connection.execute("PRAGMA quick_check(1)").fetchall() if is_checked else []
    if problems not in ([], [("ok",)]):
        raise sqlite3.DatabaseError(str(problems))
    return connection


def generations(folder: Path) -> list[Path]:
    """Return the files of the table, the newest first."""
    return sorted((path for path in folder.glob("table-*.db") if path.stem[6:].isdecimal()), reverse=True)


def following(path: Path) -> Path:
    return path.with_name(f"table-{int(path.stem[6:]) + 1:08d}.db")


def log_size(path: Path) -> int:
    file = log_path(path)
    return file.stat().st_size if file.exists() else 0


def log_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def sync_path(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
