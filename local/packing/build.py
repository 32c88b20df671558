"""Build one package: install or copy, trim, compile, and make it readable for Lambda's user."""

import atexit
import hashlib
import shutil
import tempfile
from functools import cache
from pathlib import Path

from packing.excluded_files import Exclusion
from packing.layer_trim import trim
from packing.names import FUNCTION_FOLDER, LAMBDA, ROOT, RUNTIME, BuildError, Package, package
from packing.tools import last_lines, run, runtime_python, uv, version_of

FONT = "NotoSansCJKsc-Regular.otf"
NOT_SHIPPED = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "Makefile", "requirements.txt")


def for_lambda(name: str, target: Path) -> None:
    build(package(name), target, runtime_python(), platform=LAMBDA)


def build(package_info: Package, target: Path, python: Path, platform: str | None) -> set[Exclusion]:
    """Build the package and return the exclusions that matched files.

    `platform`: uv's name of the platform; None for this machine.
    """
    place = target / package_info.below
    used: set[Exclusion] = set()
    shutil.rmtree(place, ignore_errors=True)
    if package_info.name == "FontLayer":
        _install_font(package_info, place, python, platform)
    elif package_info.requirements.exists():
        install(package_info, place, python, platform)
        used = trim(place)
    else:
        shutil.copytree(package_info.source, place, ignore=NOT_SHIPPED)
    compile_all(place, package_info.seen_at, python)
    if package_info.has_domain:
        _add_domain(place, python)
    _open_to_all(target)
    return used


def _add_domain(place: Path, python: Path) -> None:
    """Copy the domain and the schemas, and note what the layers are built from.

    A function and its domain change in one step of a deployment. The note changes the package when a layer changes.
    """
    shutil.copytree(compiled_domain(python) / "readdo", place / "readdo")
    shutil.copytree(ROOT / "schemas", place / "schemas", ignore=NOT_SHIPPED)
    sources = sorted([*ROOT.glob("layers/*/requirements.txt"), *ROOT.glob("local/packing/*.py")])
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    (place / "layers.sha256").write_text(f"{digest}\n", encoding="utf-8")


@cache
def compiled_domain(python: Path) -> Path:
    """The domain as every function has it. The folder is deleted when the process ends."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copytree(ROOT / "layers/domain/readdo", folder / "readdo", ignore=NOT_SHIPPED)
    compile_all(folder, FUNCTION_FOLDER, python)
    return folder


def install(package_info: Package, place: Path, python: Path, platform: str | None) -> None:
    """Install the pinned packages without resolving. Only wheels: sdists cannot be cross-built."""
    version = ".".join(map(str, version_of(python) or RUNTIME))
    options: list[str | Path] = ["--no-deps", "--only-binary", ":all:", "--python", python, "--python-version", version]
    # Copy instead of link: trimming and compiling must not change uv's cache.
    options += ["--link-mode", "copy", *(["--python-platform", platform] if platform else [])]
    result = run(
        uv(),
        "pip",
        "install",
        "--quiet",
        "--require-hashes",
        *options,
        "--target",
        place,
        "-r",
        package_info.requirements,
    )
    if result.returncode != 0:
        raise BuildError(
            f"{package_info.name}: {package_info.requirements.relative_to(ROOT)} could not be installed for "
            f"{platform or 'this machine'} and Python {version}.\n{last_lines(result.stderr)}\n"
            "If this machine is offline, go online and try again. If a version has no wheel for it, "
            "choose another in requirements/*.in and run `make pins`."
        )


def _install_font(package_info: Package, place: Path, python: Path, platform: str | None) -> None:
    """Copy only the font file from its package."""
    unpacked = place.with_name("unpacked")
    install(package_info, unpacked, python, platform)
    fonts = list(unpacked.rglob(FONT))
    if not fonts:
        pins = package_info.requirements.relative_to(ROOT)
        raise BuildError(f"{package_info.name}: there is no {FONT} in {pins}; pin one that has it.")
    place.mkdir(parents=True)
    shutil.copy(fonts[0], place)
    shutil.rmtree(unpacked)


def compile_all(place: Path, seen_at: str, python: Path) -> None:
    """Compile to bytecode. Lambda's folders are read-only, so missing bytecode is compiled at every start.

    The bytecode is unchecked, because file times do not survive packaging.
    """
    options = ("-q", "-f", "--invalidation-mode", "unchecked-hash", "-s", place, "-p", seen_at)
    result = run(python, "-m", "compileall", *options, place)
    if result.returncode != 0:
        raise BuildError(f"{place} could not be compiled; correct what is named:\n{last_lines(result.stdout)}")


def _open_to_all(target: Path) -> None:
    """Make all files readable for everyone, whatever the umask: Lambda runs as another user."""
    target.chmod(0o755)
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
