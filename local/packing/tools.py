"""The two programs a build needs, found or fetched: uv, and the Python that Lambda runs."""

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
    # The same hashes each time, so that the same sources give the same bytecode.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    return subprocess.run(  # noqa: S603 - our own programs
        [str(part) for part in command], capture_output=True, text=True, check=False, env=environment
    )


@cache
def runtime_python() -> Path:
    """Only the same version as Lambda's writes bytecode that Lambda reads."""
    for place in _pythons():
        if version_of(place) == RUNTIME:
            return place
    if said := os.environ.get("PYTHON313"):
        raise BuildError(f"PYTHON313 is {said}, which is no {RUNTIME_NAME}. Correct it, or leave it out.")
    raise BuildError(
        f"There is no {RUNTIME_NAME} on this machine (looked at PATH, ~/.pyenv and what uv installed), and only it "
        f"can compile for Lambda. Install it, with `pyenv install 3.13` or `uv python install 3.13`, or say where "
        "it is: make build PYTHON313=/path/to/python3.13"
    )


def _pythons() -> Iterator[Path]:
    if said := os.environ.get("PYTHON313"):
        yield Path(said)
        return
    yield Path(sys.executable)
    yield from (Path(part) / RUNTIME_NAME for part in os.environ.get("PATH", "").split(os.pathsep) if part)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob(f"versions/3.13*/bin/{RUNTIME_NAME}"))
    managed = run(uv(), "python", "find", "--managed-python", "3.13")
    if managed.returncode == 0:
        yield Path(managed.stdout.strip())


def version_of(python: Path) -> tuple[int, int] | None:
    """None if it does not run: pyenv leaves commands on PATH for versions that are not switched on."""
    if not python.exists():
        return None
    with contextlib.suppress(OSError, ValueError):
        major, minor = run(python, "-c", "import sys; print(*sys.version_info[:2])").stdout.split()
        return int(major), int(minor)
    return None


@cache
def uv() -> Path:
    """The pinned one first; a plain `sam build` on a machine without any gets one beside what it builds."""
    entry = re.findall(r"^uv==(?:.*\\\n)*.*$", DEPLOY_PINS.read_text(encoding="utf-8"), re.M)[0]
    pinned = entry.split()[0]
    for place in (ROOT / ".venv/deploy/bin/uv", ROOT / ".venv/bin/uv", TOOLS / pinned):
        if place.exists():
            return place
    on_path = shutil.which("uv")
    return Path(on_path) if on_path else _fetched(pinned, entry)


def _fetched(pinned: str, entry: str) -> Path:
    TOOLS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOOLS) as room:
        (Path(room) / "uv.txt").write_text(entry, encoding="utf-8")
        made = run(sys.executable, "-m", "venv", room)
        if made.returncode == 0:
            how = ("-m", "pip", "install", "--quiet", "--require-hashes")
            made = run(Path(room) / "bin/python", *how, "-r", Path(room) / "uv.txt")
        if made.returncode != 0:
            why = last_lines(made.stderr or made.stdout)
            raise BuildError(
                f"There is no uv on this machine, and it could not be installed.\n{why}\n"
                "Install it (python3 -m pip install uv), or run `make build`, which brings its own."
            )
        # It is one file that runs anywhere. Renamed into its place, since layers may be built side by side.
        return (Path(room) / "bin/uv").rename(TOOLS / pinned)


def last_lines(said: str, count: int = 6) -> str:
    return "\n".join(said.strip().splitlines()[-count:])
