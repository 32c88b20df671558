"""Each room is given the settings and the packages that its code asks for, and no others.

Found by reading the code (code_reading says what that cannot see).
"""

from typing import Any

import pytest
from code_reading import packages, settings
from requirement_lists import pins

from packing.names import package
from support.template import ROOT, functions, room, source

ROOMS = {room(name): r["Properties"] for name, r in functions().items()}
GLOBAL: dict[str, Any] = source()["Globals"]["Function"]["Environment"]["Variables"]
# Read by Powertools itself, which every room imports through runtime.
# Said by whoever starts it at home, for tests; on AWS nothing sets it.
OF_ONES_OWN_MACHINE = {"READDO_PUBLIC_URL", "READDO_ALLOW_LOOPBACK", "AWS_ENDPOINT_URL"}
OF_POWERTOOLS = {"POWERTOOLS_SERVICE_NAME", "POWERTOOLS_LOG_LEVEL"}
# package → what is installed for it; Lambda's own copy of boto3 is not relied on
INSTALLED_AS = {
    "aws_lambda_powertools": "aws-lambda-powertools",
    "charset_normalizer": "charset-normalizer",
    "pydantic_core": "pydantic-core",
    "readability": "readability-lxml",
}
every_room = pytest.mark.parametrize("name", ROOMS)


def own(name: str) -> dict[str, Any]:
    found: dict[str, Any] = ROOMS[name].get("Environment", {}).get("Variables", {})
    return found


def layers(name: str) -> list[str]:
    return [layer["Ref"] for layer in ROOMS[name]["Layers"]]


@every_room
def test_a_room_is_given_every_setting_it_asks_for(name: str) -> None:
    asked = {setting.name for setting in settings(name)}
    assert asked - set(GLOBAL) - set(own(name)) - OF_ONES_OWN_MACHINE == set()


@every_room
def test_a_room_is_given_no_setting_it_does_not_ask_for(name: str) -> None:
    """Beside the global ones, which hold no place and no right."""
    assert set(own(name)) - {setting.name for setting in settings(name)} == set()


def test_every_global_setting_is_read_somewhere() -> None:
    asked = {setting.name for name in ROOMS for setting in settings(name)}
    assert set(GLOBAL) - asked == OF_POWERTOOLS


@pytest.mark.parametrize("name", ["LEASE_SECONDS", "START_GRACE_SECONDS", "EXPORT_SECONDS", "SLICE_SECONDS"])
def test_a_default_in_the_code_is_the_templates(name: str) -> None:
    found = {setting.default for room_ in ROOMS for setting in settings(room_) if setting.name == name}
    assert found == {str(source()["Parameters"][GLOBAL[name]["Ref"]]["Default"])}


def test_reading_the_code_finds_what_is_known_to_be_there() -> None:
    """Against a reader that finds nothing, with which all tests above would pass."""
    assert {"BUCKET_NAME", "TABLE_NAME"} <= {s.name for s in settings("export")}
    assert {"PROCESS_MACHINE_ARN", "EXPORT_MACHINE_ARN"} <= {s.name for s in settings("http_api")}
    assert "BUCKET_NAME" not in {s.name for s in settings("lease")}
    assert {"typst", "boto3"} <= packages("export")
    assert "typst" not in packages("card")


@every_room
def test_a_rooms_layers_hold_the_packages_it_imports(name: str) -> None:
    held: set[str] = set()
    for layer in layers(name):
        folder = ROOT / source()["Resources"][layer]["Properties"]["ContentUri"]
        if (folder / "requirements.txt").exists():
            held |= {name for name, _ in pins(folder / "requirements.txt")}
    assert {INSTALLED_AS.get(package, package) for package in packages(name)} - held == set()
    assert "DomainLayer" in layers(name)


@every_room
def test_a_room_has_the_schemas_if_and_only_if_it_reads_them(name: str) -> None:
    reads = "SCHEMAS_DIR" in {setting.name for setting in settings(name)}
    assert ("SchemasLayer" in layers(name)) == reads


SPECIAL = {"ExtractDepsLayer": "trafilatura", "RenderDepsLayer": "typst"}


@every_room
def test_a_room_has_a_heavy_layer_only_if_it_imports_from_it(name: str) -> None:
    heavy = {layer for layer in layers(name) if layer in SPECIAL}
    assert heavy == {layer for layer, package in SPECIAL.items() if package in packages(name)}


LAYERS = [n for n, r in source()["Resources"].items() if r["Type"] == "AWS::Serverless::LayerVersion"]


@pytest.mark.parametrize("name", [*functions(), *LAYERS])
def test_sam_builds_it_as_make_does(name: str) -> None:
    """`sam build` runs this Makefile in the root, where the program finds the folder by the resource's name."""
    resource = source()["Resources"][name]
    how = {k: v for k, v in resource["Metadata"].items() if k != "BuildArchitecture"}
    assert how == {"BuildMethod": "makefile", "ContextPath": "local/packing", "WorkingDirectory": "."}
    assert "build-%:" in (ROOT / "local/packing/Makefile").read_text(encoding="utf-8")
    place = resource["Properties"].get("ContentUri") or resource["Properties"]["CodeUri"]
    assert package(name).source == ROOT / place


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_of_code_says_which_machines_it_is_for(layer: str) -> None:
    resource = source()["Resources"][layer]
    is_code = package(layer).below == "python"
    assert (resource["Metadata"].get("BuildArchitecture") == "arm64") == is_code
    assert (resource["Properties"].get("CompatibleArchitectures") == ["arm64"]) == is_code
    assert resource["Properties"]["CompatibleRuntimes"] == [source()["Globals"]["Function"]["Runtime"]]


def test_a_room_that_draws_is_given_the_font() -> None:
    """readdo.render.fonts looks below READDO_FONTS, or into the package mplfonts."""
    given = {**GLOBAL, **own("export")}
    packed = (ROOT / "layers/render_deps/requirements.txt").read_text(encoding="utf-8")
    assert "READDO_FONTS" in given or "mplfonts" in packed, "on AWS no PNG could be drawn"


def test_no_package_lies_in_two_layers_of_a_function() -> None:
    pinned: dict[str, list[str]] = {}
    for path in (ROOT / "layers").glob("*_deps/requirements.txt"):
        for held, _ in pins(path):
            pinned.setdefault(held, []).append(path.parent.name)
    assert {package: sorted(where) for package, where in pinned.items() if len(where) > 1} == {"idna": OTHERS}


OTHERS = ["ai_deps", "extract_deps"]  # which no function has together
