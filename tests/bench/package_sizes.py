"""How large each function is with its layers: as built for Lambda, if that is still what the sources say."""

from collections.abc import Iterator
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

from bench.figure import Figure, Figures, Say
from packing.sizes import MB, Size, measure
from support.template import ROOT, source

BUILT = ROOT / ".aws-sam/build"
SOURCES = ("functions", "layers", "schemas", "local/packing")
HERE = "all sizes are of packages for this machine, within a few percent of Lambda's; `make build` makes those"


def figures(say: Say) -> Figures:
    say("files are added up")
    if is_fresh(BUILT):
        found, note = measure(yaml_parse((BUILT / "template.yaml").read_text("utf-8")), BUILT), ""
    else:
        from bench.packages import packages  # noqa: PLC0415 - it needs the folder of the packages' own tests

        with packages() as made:
            found, note = measure(source(), made.folder), HERE
    yield from of(found, note)


def of(sizes: list[Size], note: str) -> Iterator[Figure]:
    """Largest share of its limit first."""
    for n, size in enumerate(sorted(sizes, key=lambda s: -s.total / s.limit)):
        told = note if n == len(sizes) - 1 else ""
        yield Figure(f"size of {size.name}", size.total / MB, "MB", target=size.limit / MB, note=told)


def is_fresh(built: Path, root: Path = ROOT) -> bool:
    """Whether nothing that is packed has been written since."""
    made = built / "template.yaml"
    if not made.exists():
        return False
    files = (path for name in SOURCES for path in (root / name).rglob("*"))
    kept = (path for path in files if path.is_file() and path.suffix != ".pyc")
    return max(path.stat().st_mtime for path in kept) < made.stat().st_mtime
