"""A generation counts only when it is whole."""

from pathlib import Path

import pytest

from stack import snapshot


def generation(state: Path, number: int, text: str = "{}") -> Path:
    made = state / f"gen-{number:08d}"
    made.mkdir()
    (made / "dynamodb.json").write_text(text)
    return made


def test_the_newest_is_taken(tmp_path: Path) -> None:
    generation(tmp_path, 1)
    newest = generation(tmp_path, 10)
    generation(tmp_path, 9)
    assert snapshot.newest_readable(tmp_path) == newest


def test_a_damaged_one_makes_way_for_the_one_before(tmp_path: Path) -> None:
    whole = generation(tmp_path, 1)
    generation(tmp_path, 2, '{"cut off')
    assert snapshot.newest_readable(tmp_path) == whole


def test_what_was_not_finished_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "draft").mkdir()
    assert snapshot.newest_readable(tmp_path) is None


def test_a_service_that_changes_while_it_is_copied_is_copied_again() -> None:
    errors = [RuntimeError("dictionary changed size during iteration")] * 2

    def moving() -> str:
        if errors:
            raise errors.pop()
        return "state"

    assert snapshot.collect({"moving": moving, "empty": lambda: None}) == {"moving": "state"}


def test_one_that_never_stands_still_is_an_error() -> None:
    def moving() -> str:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        snapshot.collect({"moving": moving})
