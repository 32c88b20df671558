"""Each function gets exactly the settings and the packages that its code uses.

The test reads the code; code_reading lists the limits of that.
"""

from typing import Any

import pytest

from contracts.code_reading import packages, settings
from contracts.requirement_lists import pins
from packing.names import package
from support.template import ROOT, function_name, functions, source

ROOMS = {function_name(name): r["Properties"] for name, r in functions().items()}
GLOBAL: dict[str, Any] = source()["Globals"]["Function"]["Environment"]["Variables"]
# Set only on a developer's machine or in tests, never on AWS.
LOCAL_ONLY = {"READDO_PUBLIC_URL", "READDO_ALLOW_LOOPBACK", "AWS_ENDPOINT_URL"}
OF_POWERTOOLS = {
    "POWERTOOLS_SERVICE_NAME",
    "POWERTOOLS_LOG_LEVEL",
}  # Powertools reads them, and every function imports it
# module → package that is installed for it; Lambda's own boto3 is not used
INSTALLED_AS = {
    "aws_lambda_powertools": "aws-lambda-powertools",
    "charset_normalizer": "charset-normalizer",
    "markdown_it": "markdown-it-py",
    "pydantic_core": "pydantic-core",
    "readability": "readability-lxml",
}
every_room = pytest.mark.parametrize("name", ROOMS)


def own(name: str) -> dict[str, Any]:
    variables: dict[str, Any] = ROOMS[name].get("Environment", {}).get("Variables", {})
    return variables


def layers(name: str) -> list[str]:
    return [layer["Ref"] for layer in ROOMS[name]["Layers"]]


@every_room
def test_function_gets_every_setting_it_uses(name: str) -> None:
    used = {setting.name for setting in settings(name)}
    assert used - set(GLOBAL) - set(own(name)) - LOCAL_ONLY == set()


@every_room
def test_function_gets_no_unused_setting(name: str) -> None:
    """Global settings are exempt: they name no resource and grant no right."""
    assert set(own(name)) - {setting.name for setting in settings(name)} == set()


def test_every_global_setting_is_used() -> None:
    used = {setting.name for name in ROOMS for setting in settings(name)}
    assert set(GLOBAL) - used == OF_POWERTOOLS


@pytest.mark.parametrize("name", ["LEASE_SECONDS", "START_GRACE_SECONDS", "EXPORT_SECONDS", "SLICE_SECONDS"])
def test_default_in_the_code_equals_the_templates(name: str) -> None:
    defaults = {setting.default for room_ in ROOMS for setting in settings(room_) if setting.name == name}
    assert defaults == {str(source()["Parameters"][GLOBAL[name]["Ref"]]["Default"])}


def test_code_reading_finds_known_settings_and_packages() -> None:
    """If code_reading found nothing, all tests above would pass."""
    assert {"BUCKET_NAME", "TABLE_NAME"} <= {s.name for s in settings("export")}
    assert {"PROCESS_MACHINE_ARN", "EXPORT_MACHINE_ARN"} <= {s.name for s in settings("http_api")}
    assert "BUCKET_NAME" not in {s.name for s in settings("lease")}
    assert {"typst", "boto3"} <= packages("export")
    assert "typst" not in packages("card")


@every_room
def test_layers_contain_the_packages_of_a_function(name: str) -> None:
    installed: set[str] = set()
    for layer in layers(name):
        folder = ROOT / source()["Resources"][layer]["Properties"]["ContentUri"]
        if (folder / "requirements.txt").exists():
            installed |= {name for name, _ in pins(folder / "requirements.txt")}
    assert {INSTALLED_AS.get(package, package) for package in packages(name)} - installed == set()


SPECIAL = {"ExtractDepsLayer": "trafilatura", "RenderDepsLayer": "typst"}


@every_room
def test_function_has_a_heavy_layer_only_if_it_imports_it(name: str) -> None:
    heavy = {layer for layer in layers(name) if layer in SPECIAL}
    assert heavy == {layer for layer, package in SPECIAL.items() if package in packages(name)}


LAYERS = [n for n, r in source()["Resources"].items() if r["Type"] == "AWS::Serverless::LayerVersion"]


@pytest.mark.parametrize("name", [*functions(), *LAYERS])
def test_sam_and_make_build_a_resource_alike(name: str) -> None:
    """`sam build` runs this Makefile in the root, and the tool finds the folder by the resource's name."""
    resource = source()["Resources"][name]
    build = {k: v for k, v in resource["Metadata"].items() if k != "BuildArchitecture"}
    assert build == {"BuildMethod": "makefile", "ContextPath": "local/packing", "WorkingDirectory": "."}
    assert "build-%:" in (ROOT / "local/packing/Makefile").read_text(encoding="utf-8")
    source_folder = resource["Properties"].get("ContentUri") or resource["Properties"]["CodeUri"]
    assert package(name).source == ROOT / source_folder


@pytest.mark.parametrize("layer", LAYERS)
def test_code_layer_declares_its_architecture(layer: str) -> None:
    resource = source()["Resources"][layer]
    is_code = package(layer).below == "python"
    assert (resource["Metadata"].get("BuildArchitecture") == "arm64") == is_code
    assert (resource["Properties"].get("CompatibleArchitectures") == ["arm64"]) == is_code
    assert resource["Properties"]["CompatibleRuntimes"] == [source()["Globals"]["Function"]["Runtime"]]


def test_export_gets_the_font() -> None:
    """readdo.render.fonts looks in READDO_FONTS or in the package mplfonts."""
    variables = {**GLOBAL, **own("export")}
    packed = (ROOT / "layers/render_deps/requirements.txt").read_text(encoding="utf-8")
    assert "READDO_FONTS" in variables or "mplfonts" in packed, "on AWS no PNG could be drawn"


def test_no_function_has_a_package_in_two_layers() -> None:
    pinned: dict[str, list[str]] = {}
    for path in (ROOT / "layers").glob("*_deps/requirements.txt"):
        for package_name, _ in pins(path):
            pinned.setdefault(package_name, []).append(path.parent.name)
    assert {package: sorted(where) for package, where in pinned.items() if len(where) > 1} == {"idna": OTHERS}


OTHERS = ["ai_deps", "extract_deps"]  # no function uses both layers
