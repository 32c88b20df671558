"""One package: installed or copied, cut, compiled, and readable by whoever Lambda runs as."""

import shutil
from pathlib import Path

from packing.excluded_files import Exclusion
from packing.layer_trim import trim
from packing.names import LAMBDA, ROOT, RUNTIME, BuildError, Package, package
from packing.tools import last_lines, run, runtime_python, uv, version_of

FONT = "NotoSansCJKsc-Regular.otf"
NOT_SHIPPED = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "Makefile", "requirements.txt")


def for_lambda(name: str, target: Path) -> None:
    build(package(name), target, runtime_python(), platform=LAMBDA)


def build(made: Package, target: Path, python: Path, platform: str | None) -> set[Exclusion]:
    """`platform` as uv names it; none for this machine. Tells which cuts had something to do."""
    place = target / made.below
    used: set[Exclusion] = set()
    shutil.rmtree(place, ignore_errors=True)
    if made.name == "FontLayer":
        _install_font(made, place, python, platform)
    elif made.requirements.exists():
        install(made, place, python, platform)
        used = trim(place)
    else:
        shutil.copytree(made.source, place, ignore=NOT_SHIPPED)
    compile_all(place, made.seen_at, python)
    _open_to_all(target)
    return used


def install(made: Package, place: Path, python: Path, platform: str | None) -> None:
    """The list is whole, so nothing is resolved anew; and only wheels, since nothing can be built for elsewhere."""
    wanted = ".".join(map(str, version_of(python) or RUNTIME))
    how: list[str | Path] = ["--no-deps", "--only-binary", ":all:", "--python", python, "--python-version", wanted]
    # A copy and not a link: cutting and compiling must not reach into uv's cache.
    how += ["--link-mode", "copy", *(["--python-platform", platform] if platform else [])]
    done = run(uv(), "pip", "install", "--quiet", "--require-hashes", *how, "--target", place, "-r", made.requirements)
    if done.returncode != 0:
        raise BuildError(
            f"{made.name}: {made.requirements.relative_to(ROOT)} could not be installed for "
            f"{platform or 'this machine'} and Python {wanted}.\n{last_lines(done.stderr)}\n"
            "If this machine is offline, go online and try again. If a version has no wheel for it, "
            "choose another in requirements/*.in and run `make pins`."
        )


def _install_font(made: Package, place: Path, python: Path, platform: str | None) -> None:
    """Of the package that brings it only this file."""
    unpacked = place.with_name("unpacked")
    install(made, unpacked, python, platform)
    fonts = list(unpacked.rglob(FONT))
    if not fonts:
        raise BuildError(
            f"{made.name}: there is no {FONT} in {made.requirements.relative_to(ROOT)}; pin one that has it."
        )
    place.mkdir(parents=True)
    shutil.copy(fonts[0], place)
    shutil.rmtree(unpacked)


def compile_all(place: Path, seen_at: str, python: Path) -> None:
    """Lambda's folders cannot be written, so what isn't compiled here is compiled at every start. Unchecked: the
    files' times, by which bytecode is thought stale, do not survive the way there."""
    how = ("-q", "-f", "--invalidation-mode", "unchecked-hash", "-s", place, "-p", seen_at)
    done = run(python, "-m", "compileall", *how, place)
    if done.returncode != 0:
        raise BuildError(f"{place} could not be compiled; correct what is named:\n{last_lines(done.stdout)}")


def _open_to_all(target: Path) -> None:
    """Lambda is another user than the one who built; whatever this machine's umask took away is given back."""
    target.chmod(0o755)
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
