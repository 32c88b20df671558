"""Build of a package: compiled for Lambda, reproducible and readable, with clear errors."""

import importlib.util
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from packing import build, tools
from packing.__main__ import main
from packing.names import LAMBDA, RUNTIME, RUNTIME_NAME, BuildError, Package, package
from support.built import Built
from support.template import ROOT, functions, source

UNCHECKED = b"\x01\x00\x00\x00"
PYTHON = Path(sys.executable)


def test_build_target_equals_the_template_runtime() -> None:
    shared = source()["Globals"]["Function"]
    assert shared["Runtime"] == RUNTIME_NAME == "python{}.{}".format(*RUNTIME)
    assert shared["Architectures"] == ["arm64"] and LAMBDA.startswith("aarch64-")


def test_every_source_has_unchecked_bytecode(packages: Built) -> None:
    folders = [packages.folder / name for name in ("BaseDepsLayer", "ExtractDepsLayer", "HttpApi")]
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


def test_build_is_reproducible_in_any_folder(tmp_path: Path) -> None:
    """A deploy sends only packages whose bytes have changed."""
    builds = []
    for where in ("here", "elsewhere/deeper"):
        build.build(own(tmp_path / where / "src"), tmp_path / where / "made", PYTHON, platform=None)
        builds.append(contents(tmp_path / where / "made"))
    assert builds[0] == builds[1]
    assert len(builds[0]) == 2, "the source, for tracebacks, and its bytecode; not the Makefile"


def test_package_is_readable_by_every_user(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        build.build(own(tmp_path / "src"), tmp_path / "made", PYTHON, platform=None)
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in [tmp_path / "made", *(tmp_path / "made").rglob("*")]}
    assert modes == {0o755, 0o644}


def test_build_error_names_code_that_cannot_be_compiled(tmp_path: Path) -> None:
    broken_package = own(tmp_path / "src")
    (broken_package.source / "broken.py").write_text("def\n")
    with pytest.raises(BuildError, match=r"(?s)could not be compiled.*broken\.py"):
        build.build(broken_package, tmp_path / "made", PYTHON, platform=None)


@pytest.mark.parametrize(
    ("name", "folder"),
    [("BaseDepsLayer", "layers/base_deps"), ("RecordFailure", "functions/record_failure")],
)
def test_package_finds_its_folder(name: str, folder: str) -> None:
    assert package(name).source == ROOT / folder


def test_package_without_a_folder_names_the_expected_one() -> None:
    with pytest.raises(BuildError, match=r"NowhereDepsLayer is built from layers/nowhere_deps, and there is no such"):
        package("NowhereDepsLayer")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("uv") is None:
        raise AssertionError("uv is in requirements/dev.txt. Run `make test`, which installs it.")
    monkeypatch.setenv("UV_OFFLINE", "1")


@pytest.mark.usefixtures("offline")
def test_missing_requirement_is_named_with_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    layer = Package("OddDepsLayer", tmp_path / "layers/odd_deps", "python", "/opt/python")
    layer.source.mkdir(parents=True)
    layer.requirements.write_text("readdo-has-no-such-package==1.0\n")
    with pytest.raises(BuildError) as raised:
        build.build(layer, tmp_path / "made", PYTHON, platform=LAMBDA)
    message = str(raised.value)
    assert message.startswith("OddDepsLayer: layers/odd_deps/requirements.txt could not be installed for aarch64-")
    assert "readdo-has-no-such-package" in message
    assert "offline" in message and "make pins" in message


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Machine with an empty PATH and without pyenv versions."""
    monkeypatch.delenv("PYTHON313", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    for cached in (tools.runtime_python, tools.uv):
        cached.cache_clear()
        monkeypatch.setattr(tools, "version_of", {PYTHON: (3, 11)}.get)
    return tmp_path


def test_missing_runtime_python_is_reported_with_advice(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "Lease", str(bare / "made")]) == 1
    message = capsys.readouterr().err
    assert "There is no python3.13 on this machine" in message
    assert "pyenv install 3.13" in message and "make build PYTHON313=" in message
    tools.runtime_python.cache_clear()


def test_missing_uv_is_reported_with_advice(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offline, where uv cannot be downloaded either."""
    monkeypatch.setattr(tools, "ROOT", bare)
    monkeypatch.setattr(tools, "TOOLS", bare / "tools")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(BuildError, match=r"(?s)There is no uv.*uv==.*pip install uv.*make build"):
        tools.uv()
    assert list((bare / "tools").iterdir()) == []


def test_configured_python_is_the_only_candidate(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON313", str(bare / "mine"))
    monkeypatch.setattr(tools, "version_of", {PYTHON: RUNTIME, bare / "mine": (3, 12)}.get)
    with pytest.raises(BuildError, match=r"PYTHON313 is .*mine, which is no python3\.13\. Correct it"):
        tools.runtime_python()
    monkeypatch.setattr(tools, "version_of", {bare / "mine": RUNTIME}.get)
    assert tools.runtime_python() == bare / "mine"
    tools.runtime_python.cache_clear()


def test_inactive_pyenv_shim_is_not_a_python(tmp_path: Path) -> None:
    shim = tmp_path / RUNTIME_NAME
    shim.write_text("#!/bin/sh\necho 'pyenv: python3.13: command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    assert tools.version_of(shim) is None
    assert tools.version_of(PYTHON) == sys.version_info[:2]


def test_unknown_command_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake"]) == 2
    assert "build NAME FOLDER, host FOLDER, sizes FOLDER" in capsys.readouterr().err


def test_font_layer_contains_only_the_font(packages: Built) -> None:
    files = [path.name for path in (packages.folder / "FontLayer").rglob("*") if path.is_file()]
    assert files == [build.FONT]


def test_every_function_has_the_domain_and_the_schemas(packages: Built) -> None:
    schemas = {name: data for name, data in contents(ROOT / "schemas").items() if name != "Makefile"}
    domain = {name: data for name, data in contents(ROOT / "layers/domain/readdo").items() if "__pycache__" not in name}
    assert "artifacts/card.json" in schemas
    for function in functions():
        assert contents(packages.folder / function / "schemas") == schemas
        built = contents(packages.folder / function / "readdo")
        assert {name: data for name, data in built.items() if "__pycache__" not in name} == domain


def test_change_of_a_layer_changes_every_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a deployment could run old code over a new layer until the next change of the function."""
    for path in ("layers/domain/readdo/a.py", "layers/x_deps/requirements.txt", "schemas/a.json"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x = 1\n")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    build.compiled_domain.cache_clear()
    room = replace(own(tmp_path / "src"), has_domain=True)
    builds = []
    for pin in ("a==1", "a==1", "a==2"):
        (tmp_path / "layers/x_deps/requirements.txt").write_text(f"{pin}\n")
        build.build(room, tmp_path / "made", PYTHON, platform=None)
        builds.append(contents(tmp_path / "made"))
    build.compiled_domain.cache_clear()
    assert builds[0] == builds[1] != builds[2]
