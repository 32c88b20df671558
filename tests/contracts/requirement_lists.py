"""Parse lists of packages: one entry per package, with its pin, marker and checksums."""

from pathlib import Path


def entries_of(path: Path) -> list[str]:
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    joined = "\n".join(line for line in lines if line).replace("\\\n", " ")
    return [" ".join(entry.split()) for entry in joined.splitlines()]


def pins(path: Path) -> set[tuple[str, str]]:
    pairs = (entry.split(" ")[0].partition("==") for entry in entries_of(path))
    return {(name, version) for name, _, version in pairs if version}
