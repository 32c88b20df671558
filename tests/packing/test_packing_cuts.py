"""What is cut is there to be cut, what is asked for stays, and a package that changes is noticed."""

import re
from pathlib import Path

import pytest
from built import Built

from packing.excluded_files import EVERYWHERE, LOCALES, OF_PACKAGES, SERVICES, Exclusion
from packing.host import names
from packing.layer_trim import all_used, found, trim
from packing.names import BuildError
from support.template import ROOT

ASKED = re.compile(r"""\bclient\(\s*["']([\w-]+)["']""")
# Of what the product will ask for soon, and what boto3 asks itself for a role.
COMING = {"ssm", "secretsmanager", "bedrock-runtime", "sts"}


def services() -> set[str]:
    code = [path for below in ("functions", "layers/domain") for path in (ROOT / below).rglob("*.py")]
    return {name for path in code for name in ASKED.findall(path.read_text(encoding="utf-8"))}


def third_party(packages: Built) -> list[Path]:
    return [packages.folder / name / "python" for name in names() if (packages.folder / name / "python").exists()]


def test_every_client_has_its_data_in_the_layer(packages: Built) -> None:
    there = {path.name for path in (packages.folder / "BaseDepsLayer/python/botocore/data").iterdir()}
    assert {"dynamodb", "s3", "stepfunctions"} <= services()
    assert services() | COMING <= there
    assert {"endpoints.json", "partitions.json", "sdk-default-configuration.json", "_retry.json"} <= there


def test_no_service_stays_without_being_asked() -> None:
    assert set(SERVICES) == services() | COMING


@pytest.mark.parametrize("cut", [*EVERYWHERE, *OF_PACKAGES], ids=lambda cut: cut.what)
def test_what_is_cut_is_gone(packages: Built, cut: Exclusion) -> None:
    assert [str(path) for place in third_party(packages) for path in found(place, cut)] == []


def test_the_languages_that_are_read_stay(packages: Built) -> None:
    data = packages.folder / "ExtractDepsLayer/python/babel/locale-data"
    assert {path.stem for path in data.glob("*.dat")} == set(LOCALES)


def tree(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return folder


CUT = Exclusion("big/data/*/", "unused", keep=("s3",))


def test_a_cut_leaves_what_is_kept_and_what_lies_beside(tmp_path: Path) -> None:
    place = tree(tmp_path, "big/data/s3/a.json", "big/data/ec2/a.json", "big/data/endpoints.json", "big/tests/t.py")
    trim(place, of_packages=[CUT])
    left = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    assert left == {"big/data/s3/a.json", "big/data/endpoints.json"}


def test_a_row_that_finds_nothing_fails_the_build(tmp_path: Path) -> None:
    place = tree(tmp_path, "big/elsewhere/ec2/a.json")
    with pytest.raises(BuildError, match=r"big/data/\*/ \(unused\).*excluded_files\.py") as told:
        trim(place, of_packages=[Exclusion(CUT.what, CUT.why)])
    assert "finds nothing" in str(told.value)


def test_something_to_keep_that_is_gone_fails_the_build(tmp_path: Path) -> None:
    place = tree(tmp_path, "big/data/ec2/a.json")
    with pytest.raises(BuildError, match="no longer finds s3, which is to stay"):
        trim(place, of_packages=[CUT])


def test_a_row_says_nothing_of_a_layer_without_its_package(tmp_path: Path) -> None:
    place = tree(tmp_path, "small/__init__.py")
    trim(place, of_packages=[CUT])
    assert (place / "small/__init__.py").exists()


def test_a_row_that_no_layer_needs_is_named() -> None:
    rows = {*EVERYWHERE, *OF_PACKAGES}
    all_used(rows)
    with pytest.raises(BuildError, match=r"excluded_files\.py cut: \*\*/tests, lxml/includes\. "):
        all_used({cut for cut in rows if cut.what not in ("**/tests", "lxml/includes")})


def test_what_had_something_to_do_is_told(tmp_path: Path) -> None:
    place = tree(tmp_path, "big/data/s3/a.json", "big/data/ec2/a.json", "big/tests/t.py")
    assert {cut.what for cut in trim(place, of_packages=[CUT])} == {"big/data/*/", "**/tests"}
