"""Word lists of the rubric.

They are not the engine's lists: a judge with the author's lists would prove nothing.
"""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"


@cache
def words_of(name: str) -> frozenset[str]:
    """Read words/NAME.txt: entries separated by commas and line ends; lines with # are comments."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    entries = (entry.strip() for line in lines if not line.startswith("#") for entry in line.split(","))
    return frozenset(entry for entry in entries if entry)
