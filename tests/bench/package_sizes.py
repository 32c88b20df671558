"""Measure the size of each function with its layers.

The packages of the last build for Lambda are measured if they are newer than the sources; otherwise packages for this
machine.
"""

from collections.abc import Iterator
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

from bench.figure import Figure, Figures, Say
from packing.sizes import MB, Size, measure
from support.template import ROOT, source

BUILT = ROOT / ".aws-sam/build"
SOURCES = ("functions", "layers", "schemas", "local/packing")
HERE = "sizes are of packages for this machine, within a few percent of Lambda's; run `make build` for exact sizes"


def figures(say: Say) -> Figures:
    say("adding up file sizes")
    if is_fresh(BUILT):
        sizes, note = measure(yaml_parse((BUILT / "template.yaml").read_text("utf-8")), BUILT), ""
    else:
        from bench.packages import packages  # noqa: PLC0415 - it needs the folder of the packages' own tests

        with packages() as built:
            sizes, note = measure(source(), built.folder), HERE
    yield from of(sizes, note)


def of(sizes: list[Size], note: str) -> Iterator[Figure]:
    """Yield the sizes, largest share of the limit first. The note is added to the last one."""
    for n, size in enumerate(sorted(sizes, key=lambda s: -s.total / s.limit)):
        last_note = note if n == len(sizes) - 1 else ""
        yield Figure(f"size of {size.name}", size.total / MB, "MB", target=size.limit / MB, note=last_note)


def is_fresh(built: Path, root: Path = ROOT) -> bool:
    """Return true if no packaged source changed after the build."""
    template = built / "template.yaml"
    if not template.exists():
        return False
    files = (path for name in SOURCES for path in (root / name).rglob("*"))
    sources = (path for path in files if path.is_file() and path.suffix != ".pyc")
    return max(path.stat().st_mtime for path in sources) < template.stat().st_mtime
