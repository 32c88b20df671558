"""Find or install the two programs of a build: uv and Lambda's Python version."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from packing.names import ROOT, RUNTIME, RUNTIME_NAME, BuildError

DEPLOY_PINS = ROOT / "requirements/deploy.txt"
TOOLS = ROOT / ".aws-sam/tools"


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    # A fixed hash seed makes the bytecode reproducible.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    return subprocess.run(  # noqa: S603 - our own programs
        [str(part) for part in command], capture_output=True, text=True, check=False, env=environment
    )


@cache
def runtime_python() -> Path:
    """Find the Python version of Lambda: another version writes incompatible bytecode."""
    for place in _pythons():
        if version_of(place) == RUNTIME:
            return place
    if configured := os.environ.get("PYTHON313"):
        raise BuildError(f"PYTHON313 is {configured}, which is no {RUNTIME_NAME}. Correct it, or leave it out.")
    raise BuildError(
        f"There is no {RUNTIME_NAME} on this machine (looked at PATH, ~/.pyenv and what uv installed), and only it "
        f"can compile for Lambda. Install it, with `pyenv install 3.13` or `uv python install 3.13`, or say where "
        "it is: make build PYTHON313=/path/to/python3.13"
    )


def _pythons() -> Iterator[Path]:
    if configured := os.environ.get("PYTHON313"):
        yield Path(configured)
        return
    yield Path(sys.executable)
    yield from (Path(part) / RUNTIME_NAME for part in os.environ.get("PATH", "").split(os.pathsep) if part)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob(f"versions/3.13*/bin/{RUNTIME_NAME}"))
    managed = run(uv(), "python", "find", "--managed-python", "3.13")
    if managed.returncode == 0:
        yield Path(managed.stdout.strip())


def version_of(python: Path) -> tuple[int, int] | None:
    """Return the version, or None if it does not run: pyenv puts inactive versions on PATH too."""
    if not python.exists():
        return None
    with contextlib.suppress(OSError, ValueError):
        major, minor = run(python, "-c", "import sys; print(*sys.version_info[:2])").stdout.split()
        return int(major), int(minor)
    return None


@cache
def uv() -> Path:
    """Find uv, the pinned version first. A plain `sam build` without uv installs it into .aws-sam."""
    entry = re.findall(r"^uv==(?:.*\\\n)*.*$", DEPLOY_PINS.read_text(encoding="utf-8"), re.M)[0]
    pinned = entry.split()[0]
    for place in (ROOT / ".venv/deploy/bin/uv", ROOT / ".venv/bin/uv", TOOLS / pinned):
        if place.exists():
            return place
    on_path = shutil.which("uv")
    return Path(on_path) if on_path else _install_uv(pinned, entry)


def _install_uv(pinned: str, entry: str) -> Path:
    TOOLS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOOLS) as scratch:
        (Path(scratch) / "uv.txt").write_text(entry, encoding="utf-8")
        result = run(sys.executable, "-m", "venv", scratch)
        if result.returncode == 0:
            how = ("-m", "pip", "install", "--quiet", "--require-hashes")
            result = run(Path(scratch) / "bin/python", *how, "-r", Path(scratch) / "uv.txt")
        if result.returncode != 0:
            reason = last_lines(result.stderr or result.stdout)
            raise BuildError(
                f"There is no uv on this machine, and it could not be installed.\n{reason}\n"
                "Install it (python3 -m pip install uv), or run `make build`, which brings its own."
            )
        # uv is a single relocatable file. An atomic rename, because layers may be built in parallel.
        return (Path(scratch) / "bin/uv").rename(TOOLS / pinned)


def last_lines(output: str, count: int = 6) -> str:
    return "\n".join(output.strip().splitlines()[-count:])
