"""Snapshots: only complete generations count."""

from pathlib import Path

import pytest

from stack import snapshot


def generation(state: Path, number: int, text: str = "{}") -> Path:
    folder = state / f"gen-{number:08d}"
    folder.mkdir()
    (folder / "dynamodb.json").write_text(text)
    return folder


def test_newest_generation_is_used(tmp_path: Path) -> None:
    generation(tmp_path, 1)
    newest = generation(tmp_path, 10)
    generation(tmp_path, 9)
    assert snapshot.newest_readable(tmp_path) == newest


def test_damaged_generation_falls_back_to_the_one_before(tmp_path: Path) -> None:
    complete = generation(tmp_path, 1)
    generation(tmp_path, 2, '{"cut off')
    assert snapshot.newest_readable(tmp_path) == complete


def test_draft_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "draft").mkdir()
    assert snapshot.newest_readable(tmp_path) is None


def test_service_that_changes_during_the_copy_is_copied_again() -> None:
    errors = [RuntimeError("dictionary changed size during iteration")] * 2

    def moving() -> str:
        if errors:
            raise errors.pop()
        return "state"

    assert snapshot.collect({"moving": moving, "empty": lambda: None}) == {"moving": "state"}


def test_service_that_always_changes_is_an_error() -> None:
    def moving() -> str:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        snapshot.collect({"moving": moving})
