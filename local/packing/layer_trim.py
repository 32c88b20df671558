"""Apply the exclusions to one layer."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from packing.excluded_files import EVERYWHERE, OF_PACKAGES, Exclusion
from packing.names import BuildError


def trim(
    folder: Path, everywhere: Iterable[Exclusion] = EVERYWHERE, of_packages: Iterable[Exclusion] = OF_PACKAGES
) -> set[Exclusion]:
    """Delete the excluded files and return the exclusions that matched."""
    present = [cut for cut in of_packages if (folder / cut.package).exists()]
    for cut in present:
        _trim_package(folder, cut, matching_paths(folder, cut))
    used = set(present)
    for cut in everywhere:
        if matches := matching_paths(folder, cut):
            remove(matches)
            used.add(cut)
    return used


def _trim_package(folder: Path, cut: Exclusion, matches: list[Path]) -> None:
    missing = [name for name in cut.keep if name not in {_name(path) for path in folder.glob(cut.what)}]
    if not matches or missing:
        problem = f"no longer finds {', '.join(missing)}, which is to stay" if missing else "finds nothing"
        raise BuildError(
            f"The cut of {cut.what} ({cut.why}) {problem}: {cut.package} is laid out differently now. "
            "Look at it, and correct or delete the row in local/packing/excluded_files.py."
        )
    remove(matches)


def matching_paths(folder: Path, cut: Exclusion) -> list[Path]:
    return [path for path in sorted(folder.glob(cut.what)) if _name(path) not in cut.keep]


def _name(path: Path) -> str:
    return path.name.removesuffix(".dat")


def remove(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)  # its folder may already be deleted


def all_used(used: set[Exclusion]) -> None:
    """Fail if an exclusion matched in no layer: rows without a package are checked only here."""
    if stale := [cut.what for cut in (*EVERYWHERE, *OF_PACKAGES) if cut not in used]:
        raise BuildError(
            f"No layer has anything that these rows of local/packing/excluded_files.py cut: {', '.join(stale)}. "
            "What they were for is gone or lies elsewhere; correct or delete them."
        )
