"""The limits hold for the packages of this machine, which weigh within a few percent of those for arm64."""

import json
from pathlib import Path

import pytest
from built import Built

from packing.__main__ import main
from packing.sizes import FUNCTION, LAYER, LIMITS, MB, OTHERS, Size, bytes_in, measure, table
from support.template import functions, source


def test_every_function_is_within_its_limit(packages: Built) -> None:
    found = measure(source(), packages.folder)
    assert {size.name for size in found} == set(functions())
    assert [size.name for size in found if size.over] == [], table(found)
    assert min(size.total for size in found) > 20 * MB, "or the layers were not counted"


def test_a_limit_is_for_a_function_that_there_is() -> None:
    assert set(LIMITS) <= set(functions())
    assert LIMITS == {"HttpApi": 60, "Export": 150} and OTHERS == 120


@pytest.mark.parametrize(("own", "over"), [(59 * MB, False), (60 * MB, False), (60 * MB + 1, True)])
def test_a_function_is_over_by_one_byte(own: int, over: bool) -> None:
    found = Size("HttpApi", own - MB, {"BaseDepsLayer": MB})
    assert found.over == over
    assert ("TOO LARGE" in table([found])) == over


def test_the_table_has_a_column_a_layer() -> None:
    sizes = [Size("HttpApi", MB, {"DomainLayer": 2 * MB}), Size("Export", MB, {"FontLayer": 16 * MB})]
    assert table(sizes).splitlines() == [
        "MB unzipped  code  Domain   Font    sum  at most",
        "HttpApi      1.00    2.00          3.00  60",
        "Export       1.00          16.00  17.00  150",
    ]


@pytest.mark.parametrize(("mb", "code"), [(59, 0), (61, 1)])
def test_the_build_fails_over_a_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str], mb: int, code: int) -> None:
    resources = {
        "HttpApi": {"Type": FUNCTION, "Properties": {"Layers": [{"Ref": "BaseDepsLayer"}]}},
        "BaseDepsLayer": {"Type": LAYER},
    }
    (tmp_path / "template.yaml").write_text(json.dumps({"Resources": resources}))
    for name, size in (("HttpApi", 0), ("BaseDepsLayer", mb * MB)):
        (tmp_path / name).mkdir()
        with (tmp_path / name / "code").open("wb") as file:
            file.truncate(size)
    assert main(["sizes", str(tmp_path)]) == code
    told = "HttpApi is 1.0 MB over its 60 MB. Leave something out (local/packing/excluded_files.py)"
    assert (told in capsys.readouterr().out) == (code == 1)


def test_bytes_are_counted_and_not_blocks(packages: Built) -> None:
    folder = packages.folder / "Lease"
    assert bytes_in(folder) == sum(len(path.read_bytes()) for path in folder.rglob("*") if path.is_file())
