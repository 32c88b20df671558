"""Packages as Lambda unpacks them, built for this machine, with Lambda's Python."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.built import Built, everything


@contextmanager
def packages() -> Iterator[Built]:
    with tempfile.TemporaryDirectory() as folder:
        yield everything(Path(folder))


def paths(built: Built, function: str) -> list[str]:
    """Return the import paths in Lambda's order: the function's own folder first."""
    return [str(place / "python" if (place / "python").is_dir() else place) for place in built.of(function)]
