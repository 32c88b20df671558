"""Rejected input: a single line, or a whole file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class BadLine:
    place: str  # its position in the file, such as `line 12`
    words: str  # what is wrong with it, and what to do
    link: str = ""  # the beginning of the text in place of a link
    number: int = 0  # its number among all lines of the file, good and bad


class BadFile(Exception):
    """Its message tells the user what is wrong and what to do. May be raised while lines are read."""
