"""Build the third-party layers for the local machine, so that the tests find missing packages."""

import sys
from pathlib import Path

from packing.build import build
from packing.excluded_files import Exclusion
from packing.layer_trim import all_used
from packing.names import ROOT, BuildError, package
from packing.tools import runtime_python, version_of

INTERPRETER = "interpreter.txt"


def names() -> list[str]:
    folders = sorted(path.parent.name for path in ROOT.glob("layers/*/requirements.txt"))
    return ["".join(part.capitalize() for part in name.split("_")) + "Layer" for name in folders]


def layers(folder: Path) -> int:
    python = interpreter()
    used: set[Exclusion] = set()
    for name in names():
        print(f"  {name}", flush=True)
        used |= build(package(name), folder / name, python, platform=None)
    all_used(used)
    version = ".".join(map(str, version_of(python) or ()))
    folder.joinpath(INTERPRETER).write_text(f"{version} {python}", encoding="utf-8")
    return 0


def interpreter() -> Path:
    """Return Lambda's Python version if it is installed, else the interpreter of the tests."""
    try:
        return runtime_python()
    except BuildError:
        return Path(sys.executable)
