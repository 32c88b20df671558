"""Rules of the repository: places of files, their length, allowed imports, pinned packages."""

import ast
import re
import statistics
from pathlib import Path

import pytest

from contracts.requirement_lists import entries_of, pins
from support.template import ROOT, function_name, functions

FIXED = {"template.yaml", "functions", "layers", "statemachine", "schemas", "events", "tests", "Makefile"}
BESIDE = {
    *(
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "LICENSE",
        "NOTICE",
        "pyproject.toml",
        "samconfig.example.toml",
    ),
    *("requirements", "docs", "local", ".ci"),
}
DOMAIN = ROOT / "layers/domain/readdo"
TOUCH_AWS = {
    "store",
    "files.py",
    "runtime.py",
    "invocations.py",
    "integrations/notion/settings.py",
    "engine/settings.py",
    "engine/providers/bedrock.py",
}
CODE = sorted(
    path
    for base in ("functions", "layers/domain", "local", "tests")
    for path in (ROOT / base).rglob("*.py")
    if "fixture" not in path.parts
)


def imports(path: Path) -> set[str]:
    """Return full names: `from readdo.store import keys` → readdo.store.keys."""
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin = ".".join((*_package(path)[: 1 - node.level or None], *(node.module or "").split("."))).strip(".")
            imported |= {f"{origin if node.level else node.module}.{alias.name}" for alias in node.names}
    return imported


def _package(path: Path) -> tuple[str, ...]:
    """Return the package that a file's relative imports start from."""
    return path.relative_to(DOMAIN.parent).parent.parts if path.is_relative_to(DOMAIN) else ()


def of_domain(below: str) -> list[Path]:
    paths = sorted((DOMAIN / below).rglob("*.py"))
    assert paths, below
    return paths


def ignored() -> set[str]:
    return {line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines() if line}


def test_the_top_level_is_fixed() -> None:
    names = {path.name for path in ROOT.iterdir()} - ignored()
    assert FIXED - names == set()
    assert {name for name in names - FIXED - BESIDE if not name.startswith(".")} == set()


def test_no_lock_file_names_a_registry() -> None:
    assert [name for name in ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock") if (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", functions())
def test_handler_file_has_at_most_60_lines(name: str) -> None:
    lines = (
        (ROOT / "functions" / function_name(name) / f"{function_name(name)}.py")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    assert len(lines) <= 60


def test_no_python_file_has_more_than_300_lines() -> None:
    long = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert {path: lines for path, lines in long.items() if lines > 300} == {}


def test_the_median_file_of_the_product_has_40_to_90_lines() -> None:
    product = [path for path in CODE if path.is_relative_to(ROOT / "functions") or path.is_relative_to(DOMAIN)]
    lines = [len(path.read_text(encoding="utf-8").splitlines()) for path in product]
    assert 40 <= statistics.median([count for count in lines if count]) <= 90


def test_only_the_store_files_runtime_and_workflows_touch_aws() -> None:
    touching = set()
    for path in [*DOMAIN.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]:
        if {name.split(".")[0] for name in imports(path)} & {"boto3", "botocore", "aiobotocore", "s3transfer"}:
            place = path.relative_to(DOMAIN) if path.is_relative_to(DOMAIN) else path.relative_to(ROOT)
            touching.add("store" if place.parts[0] == "store" else place.as_posix())
    assert touching == TOUCH_AWS


@pytest.mark.parametrize(
    ("service", "where"),
    [
        ("dynamodb", "store/table.py"),
        ("s3", "files.py"),
        ("stepfunctions", "invocations.py"),
        ("lambda", "invocations.py"),
    ],
)
def test_each_service_is_called_from_one_file(service: str, where: str) -> None:
    calling = {
        path.relative_to(ROOT).as_posix()
        for path in [*DOMAIN.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
        if f'client("{service}")' in path.read_text(encoding="utf-8")
    }
    assert calling == {(DOMAIN / where).relative_to(ROOT).as_posix()}


PACKAGES = sorted(path.name for path in DOMAIN.iterdir() if path.is_dir() and path.name != "__pycache__")
ABOVE_THE_DESKS = (("api", "heartbeat"), ("integrations",), ("transfer",))
BELOW_THE_DESKS = (("read",), ("engine", "extraction", "render"), ("web", "jobs"), ("store",), ("lifecycle", "net"))
DESKS = tuple(name for name in PACKAGES if not any(name in layer for layer in (*ABOVE_THE_DESKS, *BELOW_THE_DESKS)))
# Each package may import only the packages of later layers. Desks build on the Read desk, but not on each other.
LAYERS = (*ABOVE_THE_DESKS, DESKS, *BELOW_THE_DESKS)


@pytest.mark.parametrize("package", PACKAGES)
def test_package_of_the_domain_imports_only_layers_below_it(package: str) -> None:
    own_layer = next(number for number, layer in enumerate(LAYERS) if package in layer)
    not_below = {other for layer in LAYERS[: own_layer + 1] for other in layer} - {package}
    assert imports_of(of_domain(package), not_below) == set()


def test_modules_at_the_top_of_the_domain_import_no_package() -> None:
    assert imports_of(list(DOMAIN.glob("*.py")), set(PACKAGES)) == set()


def imports_of(paths: list[Path], packages: set[str]) -> set[tuple[str, str]]:
    imported = {(path.name, name) for path in paths for name in imports(path) if name.startswith("readdo.")}
    return {(path, name) for path, name in imported if name.split(".")[1] in packages}


def test_lifecycle_imports_only_the_standard_library() -> None:
    outside = {name for path in of_domain("lifecycle") for name in imports(path) if not name.startswith("readdo.")}
    allowed = {"copy", "operator", "secrets", "dataclasses", "typing", "collections"}
    assert {name.split(".")[0] for name in outside} <= allowed


def test_domain_imports_no_function() -> None:
    rooms = {function_name(name) for name in functions()}
    assert {(p.name, n) for p in DOMAIN.rglob("*.py") for n in imports(p) if n.split(".")[0] in rooms} == set()


REQUIREMENTS = sorted([*ROOT.glob("requirements/*"), *ROOT.glob("layers/*/requirements.txt")])


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_requirements_contain_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    addresses = ("http://", "https://", "file:", "git+", " @ ", "-index-url", "--find-links", "--trusted-host")
    assert [word for word in addresses if word in text] == []


@pytest.mark.parametrize(
    "path", [p for p in REQUIREMENTS if p.suffix == ".txt"], ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_requirements_are_pinned(path: Path) -> None:
    entries = entries_of(path)
    assert entries
    assert [
        entry for entry in entries if not re.fullmatch(r"\S+==\S+( ;.*?)?( --hash=sha256:[0-9a-f]{64})+", entry)
    ] == []


def test_every_package_is_installed_by_its_checksums() -> None:
    """pip accepts a list of pins alone without checksums."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    installs = [line for line in makefile.splitlines() if "pip install" in line]
    tools = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "local/packing").glob("*.py"))
    assert installs
    assert [line for line in installs if "--require-hashes" not in line] == []
    assert tools.count('"install"') == tools.count('"--require-hashes"') == 2


# The font's package is installed without its dependencies: their versions conflict with the others'.
DEPLOYED = [p for p in REQUIREMENTS if p.name == "requirements.txt" and p.parent.name != "font"]


@pytest.mark.parametrize("path", DEPLOYED, ids=lambda p: p.parent.name)
def test_deployed_packages_are_the_tested_ones(path: Path) -> None:
    assert pins(path) - pins(ROOT / "requirements/dev.txt") == set()


def test_local_packages_are_the_tested_ones() -> None:
    assert pins(ROOT / "requirements/local.txt") - pins(ROOT / "requirements/dev.txt") == set()
