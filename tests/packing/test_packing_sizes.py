"""Size limits of the packages of this machine, which differ from arm64 by a few percent."""

import json
from pathlib import Path

import pytest

from packing.__main__ import main
from packing.sizes import FUNCTION, LAYER, LIMITS, MB, OTHERS, Size, bytes_in, measure, table
from support.built import Built
from support.template import functions, source


def test_every_function_is_within_its_limit(packages: Built) -> None:
    sizes = measure(source(), packages.folder)
    assert {size.name for size in sizes} == set(functions())
    assert [size.name for size in sizes if size.over] == [], table(sizes)
    assert min(size.total for size in sizes) > 20 * MB, "or the layers were not counted"


def test_limits_belong_to_existing_functions() -> None:
    assert set(LIMITS) <= set(functions())
    assert LIMITS == {"HttpApi": 60, "Export": 150} and OTHERS == 120


@pytest.mark.parametrize(("own", "over"), [(59 * MB, False), (60 * MB, False), (60 * MB + 1, True)])
def test_function_is_over_its_limit_by_one_byte(own: int, over: bool) -> None:
    size = Size("HttpApi", own - MB, {"BaseDepsLayer": MB})
    assert size.over == over
    assert ("TOO LARGE" in table([size])) == over


def test_table_has_a_column_per_layer() -> None:
    sizes = [Size("HttpApi", MB, {"CommonLayer": 2 * MB}), Size("Export", MB, {"FontLayer": 16 * MB})]
    assert table(sizes).splitlines() == [
        "MB unzipped  code  Common   Font    sum  at most",
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
    message = "HttpApi is 1.0 MB over its 60 MB. Leave something out (local/packing/excluded_files.py)"
    assert (message in capsys.readouterr().out) == (code == 1)


def test_size_counts_bytes_and_not_blocks(packages: Built) -> None:
    folder = packages.folder / "Lease"
    assert bytes_in(folder) == sum(len(path.read_bytes()) for path in folder.rglob("*") if path.is_file())
