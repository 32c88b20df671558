"""Excluded files: only unused files are removed, used ones stay, and changed packages are detected."""

import re
from pathlib import Path

import pytest

from packing.excluded_files import EVERYWHERE, LOCALES, OF_PACKAGES, SERVICES, Exclusion
from packing.host import names
from packing.layer_trim import all_used, matching_paths, trim
from packing.names import BuildError
from support.built import Built
from support.template import ROOT

CLIENT_CALL = re.compile(r"""\bclient\(\s*["']([\w-]+)["']""")
# Services of planned features, and the one that boto3 itself uses for roles.
PLANNED = {"ssm", "secretsmanager", "bedrock-runtime", "sts"}


def services() -> set[str]:
    code = [path for below in ("functions", "layers/domain") for path in (ROOT / below).rglob("*.py")]
    return {name for path in code for name in CLIENT_CALL.findall(path.read_text(encoding="utf-8"))}


def third_party(packages: Built) -> list[Path]:
    return [packages.folder / name / "python" for name in names() if (packages.folder / name / "python").exists()]


def test_every_client_has_its_data_in_the_layer(packages: Built) -> None:
    data_folders = {path.name for path in (packages.folder / "BaseDepsLayer/python/botocore/data").iterdir()}
    assert {"dynamodb", "s3", "stepfunctions"} <= services()
    assert services() | PLANNED <= data_folders
    assert {"endpoints.json", "partitions.json", "sdk-default-configuration.json", "_retry.json"} <= data_folders


def test_layer_keeps_only_used_services() -> None:
    assert set(SERVICES) == services() | PLANNED


@pytest.mark.parametrize("cut", [*EVERYWHERE, *OF_PACKAGES], ids=lambda cut: cut.what)
def test_excluded_files_are_removed(packages: Built, cut: Exclusion) -> None:
    assert [str(path) for place in third_party(packages) for path in matching_paths(place, cut)] == []


def test_supported_locales_stay(packages: Built) -> None:
    data = packages.folder / "ExtractDepsLayer/python/babel/locale-data"
    assert {path.stem for path in data.glob("*.dat")} == set(LOCALES)


def tree(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return folder


CUT = Exclusion("big/data/*/", "unused", keep=("s3",))


def test_trim_keeps_listed_and_other_files(tmp_path: Path) -> None:
    place = tree(tmp_path, "big/data/s3/a.json", "big/data/ec2/a.json", "big/data/endpoints.json", "big/tests/t.py")
    trim(place, of_packages=[CUT])
    remaining = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    assert remaining == {"big/data/s3/a.json", "big/data/endpoints.json"}


def test_exclusion_without_a_match_fails_the_build(tmp_path: Path) -> None:
    place = tree(tmp_path, "big/elsewhere/ec2/a.json")
    with pytest.raises(BuildError, match=r"big/data/\*/ \(unused\).*excluded_files\.py") as raised:
        trim(place, of_packages=[Exclusion(CUT.what, CUT.why)])
    assert "finds nothing" in str(raised.value)


def test_missing_file_to_keep_fails_the_build(tmp_path: Path) -> None:
    place = tree(tmp_path, "big/data/ec2/a.json")
    with pytest.raises(BuildError, match="no longer finds s3, which is to stay"):
        trim(place, of_packages=[CUT])


def test_exclusion_ignores_a_layer_without_its_package(tmp_path: Path) -> None:
    place = tree(tmp_path, "small/__init__.py")
    trim(place, of_packages=[CUT])
    assert (place / "small/__init__.py").exists()


def test_unused_exclusion_is_named() -> None:
    rows = {*EVERYWHERE, *OF_PACKAGES}
    all_used(rows)
    with pytest.raises(BuildError, match=r"excluded_files\.py cut: \*\*/tests, lxml/includes\. "):
        all_used({cut for cut in rows if cut.what not in ("**/tests", "lxml/includes")})


def test_trim_returns_the_used_exclusions(tmp_path: Path) -> None:
    place = tree(tmp_path, "big/data/s3/a.json", "big/data/ec2/a.json", "big/tests/t.py")
    assert {cut.what for cut in trim(place, of_packages=[CUT])} == {"big/data/*/", "**/tests"}
