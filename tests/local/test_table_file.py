"""The file of the local table: copies, generations and damage."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from stack.table_file import TableFile, generations

from .tables import NAME, put


def keys(folder: Path) -> set[str]:
    connection = TableFile(folder).connection
    assert (
        connection.execute("SELECT COUNT(*) FROM entries").fetchone()
        == connection.execute("SELECT COUNT(*) FROM rows").fetchone()
    )
    return {sk for (sk,) in connection.execute("SELECT sk FROM rows")}


def copy_slowly(folder: Path, to: Path, between: Any, reverse: bool) -> None:
    """Copy file by file, with writes between them, as a copy of the folder of a running stack does."""
    to.mkdir()
    for path in sorted(folder.iterdir(), reverse=reverse):
        content = path.read_bytes() if path.exists() else None
        between()
        if content is not None:
            (to / path.name).write_bytes(content)


@pytest.mark.parametrize("reverse", [False, True])
def test_copy_of_the_folder_holds_all_earlier_writes(
    dynamodb: Any, file: TableFile, tmp_path: Path, reverse: bool
) -> None:
    written: list[str] = []

    def write() -> None:
        for _ in range(30):
            written.append(f"{len(written):04}")
            put(dynamodb, "p", written[-1], inbox="i")

    def write_and_continue_in_a_new_file() -> None:
        write()
        if len(generations(file.folder)) < 2:
            file.start_generation()
        write()

    write()
    for number, between in enumerate((write, write_and_continue_in_a_new_file, write)):
        before = set(written)
        copy_slowly(file.folder, tmp_path / f"copy{number}", between, reverse)
        assert before <= keys(tmp_path / f"copy{number}")


def test_writes_during_the_start_of_a_generation_are_kept(
    dynamodb: Any, file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(dynamodb, "p", "before", inbox="i")
    put(dynamodb, "p", "deleted", inbox="i")
    connect = sqlite3.connect

    def write_meanwhile(path: Any, **more: Any) -> Any:
        if Path(path).name == "draft.db":
            put(dynamodb, "p", "during", inbox="i")
            dynamodb._delete_item({"TableName": NAME, "Key": {"pk": {"S": "p"}, "sk": {"S": "deleted"}}})
        return connect(path, **more)

    monkeypatch.setattr("stack.table_file.sqlite3.connect", write_meanwhile)
    file.start_generation()
    monkeypatch.undo()
    put(dynamodb, "p", "after", inbox="i")
    assert keys(file.folder) == {"before", "during", "after"}
    for _ in range(3):
        file.start_generation()
    assert len(generations(file.folder)) == 2
    assert keys(file.folder) == {"before", "during", "after"}


def test_damaged_file_falls_back_to_the_one_before(dynamodb: Any, file: TableFile) -> None:
    put(dynamodb, "p", "kept", inbox="i")
    file.start_generation()
    newest = generations(file.folder)[0]
    for leftover in file.folder.glob(f"{newest.name}-*"):
        leftover.unlink()
    newest.write_bytes(b"SQLite format 3\x00" + b"damaged" * 500)
    assert keys(file.folder) == {"kept"}
