"""The rubric's own lists. They are not the engine's: a judge who shares the author's lists proves nothing."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"


@cache
def words_of(name: str) -> frozenset[str]:
    """The entries of words/NAME.txt, which commas and line ends separate; a line with # in front is a remark."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    entries = (entry.strip() for line in lines if not line.startswith("#") for entry in line.split(","))
    return frozenset(entry for entry in entries if entry)
