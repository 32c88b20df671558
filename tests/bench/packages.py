"""The packages as Lambda unpacks them, made for this machine, and Lambda's Python to start them with."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from built import Built, everything


@contextmanager
def packages() -> Iterator[Built]:
    with tempfile.TemporaryDirectory() as folder:
        yield everything(Path(folder))


def paths(made: Built, function: str) -> list[str]:
    """As on Lambda: the function's own folder first."""
    return [str(place / "python" if (place / "python").is_dir() else place) for place in made.of(function)]
