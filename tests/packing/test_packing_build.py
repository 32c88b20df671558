"""How a package is made: compiled so that Lambda takes it as it is, the same each time, readable; and what is said
when it cannot be made."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest
from built import Built

from packing import build, tools
from packing.__main__ import main
from packing.names import LAMBDA, RUNTIME, RUNTIME_NAME, BuildError, Package, package
from support.template import ROOT, source

UNCHECKED = b"\x01\x00\x00\x00"
PYTHON = Path(sys.executable)


def test_what_is_built_for_is_what_the_template_runs() -> None:
    shared = source()["Globals"]["Function"]
    assert shared["Runtime"] == RUNTIME_NAME == "python{}.{}".format(*RUNTIME)
    assert shared["Architectures"] == ["arm64"] and LAMBDA.startswith("aarch64-")


def test_every_source_has_bytecode_that_is_not_checked(packages: Built) -> None:
    folders = [packages.folder / name for name in ("BaseDepsLayer", "ExtractDepsLayer", "DomainLayer", "HttpApi")]
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    tag = next((packages.folder / "HttpApi/__pycache__").iterdir()).name.split(".")[1]
    assert len(sources) > 1000
    for path in sources:
        compiled = path.parent / "__pycache__" / f"{path.stem}.{tag}.pyc"
        assert compiled.read_bytes()[4:8] == UNCHECKED, path


def own(folder: Path) -> Package:
    folder.mkdir(parents=True)
    (folder / "room.py").write_text("NAMES = {'b', 'a', 'c'}\n\n\ndef handler():\n    raise ValueError('x')\n")
    (folder / "Makefile").touch()
    return Package("Room", folder, "", "/var/task")


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_same_code_gives_the_same_bytes_wherever_it_lies(tmp_path: Path) -> None:
    """So that a deploy sends only what changed."""
    made = []
    for where in ("here", "elsewhere/deeper"):
        build.build(own(tmp_path / where / "src"), tmp_path / where / "made", PYTHON, platform=None)
        made.append(contents(tmp_path / where / "made"))
    assert made[0] == made[1]
    assert len(made[0]) == 2, "the source, for tracebacks, and its bytecode; not the Makefile"


def test_whoever_lambda_runs_as_may_read_it(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        build.build(own(tmp_path / "src"), tmp_path / "made", PYTHON, platform=None)
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in [tmp_path / "made", *(tmp_path / "made").rglob("*")]}
    assert modes == {0o755, 0o644}


def test_code_that_cannot_be_compiled_is_named(tmp_path: Path) -> None:
    made = own(tmp_path / "src")
    (made.source / "broken.py").write_text("def\n")
    with pytest.raises(BuildError, match=r"(?s)could not be compiled.*broken\.py"):
        build.build(made, tmp_path / "made", PYTHON, platform=None)


@pytest.mark.parametrize(
    ("name", "folder"),
    [("BaseDepsLayer", "layers/base_deps"), ("RecordFailure", "functions/record_failure"), ("SchemasLayer", "schemas")],
)
def test_a_name_leads_to_its_folder(name: str, folder: str) -> None:
    assert package(name).source == ROOT / folder


def test_a_name_without_a_folder_says_which_was_looked_for() -> None:
    with pytest.raises(BuildError, match=r"NowhereDepsLayer is built from layers/nowhere_deps, and there is no such"):
        package("NowhereDepsLayer")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("uv") is None:
        raise AssertionError("uv is in requirements/dev.txt. Run `make test`, which installs it.")
    monkeypatch.setenv("UV_OFFLINE", "1")


@pytest.mark.usefixtures("offline")
def test_a_requirement_that_cannot_be_had_says_which_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    layer = Package("OddDepsLayer", tmp_path / "layers/odd_deps", "python", "/opt/python")
    layer.source.mkdir(parents=True)
    layer.requirements.write_text("readdo-has-no-such-package==1.0\n")
    with pytest.raises(BuildError) as told:
        build.build(layer, tmp_path / "made", PYTHON, platform=LAMBDA)
    said = str(told.value)
    assert said.startswith("OddDepsLayer: layers/odd_deps/requirements.txt could not be installed for aarch64-")
    assert "readdo-has-no-such-package" in said
    assert "offline" in said and "make pins" in said


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with nothing on its PATH and no versions of pyenv."""
    monkeypatch.delenv("PYTHON313", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    for found in (tools.runtime_python, tools.uv):
        found.cache_clear()
        monkeypatch.setattr(tools, "version_of", {PYTHON: (3, 11)}.get)
    return tmp_path


def test_without_lambdas_python_it_is_said_where_to_get_it(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "Lease", str(bare / "made")]) == 1
    said = capsys.readouterr().err
    assert "There is no python3.13 on this machine" in said
    assert "pyenv install 3.13" in said and "make build PYTHON313=" in said
    tools.runtime_python.cache_clear()


def test_without_uv_it_is_said_where_to_get_it(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offline, where it cannot be fetched either."""
    monkeypatch.setattr(tools, "ROOT", bare)
    monkeypatch.setattr(tools, "TOOLS", bare / "tools")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(BuildError, match=r"(?s)There is no uv.*uv==.*pip install uv.*make build"):
        tools.uv()
    assert list((bare / "tools").iterdir()) == []


def test_the_python_that_was_named_is_the_only_one_looked_at(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON313", str(bare / "mine"))
    monkeypatch.setattr(tools, "version_of", {PYTHON: RUNTIME, bare / "mine": (3, 12)}.get)
    with pytest.raises(BuildError, match=r"PYTHON313 is .*mine, which is no python3\.13\. Correct it"):
        tools.runtime_python()
    monkeypatch.setattr(tools, "version_of", {bare / "mine": RUNTIME}.get)
    assert tools.runtime_python() == bare / "mine"
    tools.runtime_python.cache_clear()


def test_a_command_of_pyenv_for_a_version_that_is_off_is_no_python(tmp_path: Path) -> None:
    shim = tmp_path / RUNTIME_NAME
    shim.write_text("#!/bin/sh\necho 'pyenv: python3.13: command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    assert tools.version_of(shim) is None
    assert tools.version_of(PYTHON) == sys.version_info[:2]


def test_one_that_asks_for_nothing_known_is_told_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake"]) == 2
    assert "build NAME FOLDER, host FOLDER, sizes FOLDER" in capsys.readouterr().err


def test_the_font_is_all_that_stays_of_its_package(packages: Built) -> None:
    files = [path.name for path in (packages.folder / "FontLayer").rglob("*") if path.is_file()]
    assert files == [build.FONT]


def test_the_schemas_are_those_of_the_repository(packages: Built) -> None:
    built = contents(packages.folder / "SchemasLayer/schemas")
    kept = contents(ROOT / "schemas")
    assert built == {name: data for name, data in kept.items() if name != "Makefile"}
    assert "artifacts/card.json" in built
