"""What cannot be imported, in words: a line that is told and passed over, or a file as a whole."""

from dataclasses import dataclass


@dataclass(frozen=True)
class BadLine:
    place: str  # where in the file it stands, such as `line 12`
    words: str  # what is wrong with it, and what to do
    link: str = ""  # the beginning of what stood there instead of a link
    number: int = 0  # how manieth it is of all that the file holds, good and bad


class BadFile(Exception):
    """The text is for the person: what is wrong with the file, and what to do. It may come while lines are read."""
