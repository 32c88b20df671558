"""The cuts, carried out on one layer."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from packing.excluded_files import EVERYWHERE, OF_PACKAGES, Exclusion
from packing.names import BuildError


def trim(
    folder: Path, everywhere: Iterable[Exclusion] = EVERYWHERE, of_packages: Iterable[Exclusion] = OF_PACKAGES
) -> set[Exclusion]:
    """The rows that found something here."""
    there = [cut for cut in of_packages if (folder / cut.package).exists()]
    for cut in there:
        _cut_package(folder, cut, found(folder, cut))
    used = set(there)
    for cut in everywhere:
        if here := found(folder, cut):
            remove(here)
            used.add(cut)
    return used


def _cut_package(folder: Path, cut: Exclusion, here: list[Path]) -> None:
    lacking = [name for name in cut.keep if name not in {_name(path) for path in folder.glob(cut.what)}]
    if not here or lacking:
        wrong = f"no longer finds {', '.join(lacking)}, which is to stay" if lacking else "finds nothing"
        raise BuildError(
            f"The cut of {cut.what} ({cut.why}) {wrong}: {cut.package} is laid out differently now. "
            "Look at it, and correct or delete the row in local/packing/excluded_files.py."
        )
    remove(here)


def found(folder: Path, cut: Exclusion) -> list[Path]:
    return [path for path in sorted(folder.glob(cut.what)) if _name(path) not in cut.keep]


def _name(path: Path) -> str:
    return path.name.removesuffix(".dat")


def remove(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)  # a folder around it may be gone already


def all_used(used: set[Exclusion]) -> None:
    """Over all layers: a row for every package, or for one that no layer has any more, is found out only here."""
    if stale := [cut.what for cut in (*EVERYWHERE, *OF_PACKAGES) if cut not in used]:
        raise BuildError(
            f"No layer has anything that these rows of local/packing/excluded_files.py cut: {', '.join(stale)}. "
            "What they were for is gone or lies elsewhere; correct or delete them."
        )
