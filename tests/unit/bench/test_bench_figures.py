"""Figures, their verdicts, and both output formats."""

import os
from pathlib import Path

import pytest
from rich.console import Console

from bench.figure import Figure, percentile
from bench.figure_table import cells, show
from bench.package_sizes import is_fresh, of
from bench.run import PARTS, arguments, as_json
from packing.sizes import MB, Size


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("x", 25, "units", target=25), True),
        (Figure("x", 25.5, "units", target=25), False),
        (Figure("x", 75, "units", floor=30, target=2.5), True),
        (Figure("x", 76, "units", floor=30, target=2.5), False),
        (Figure("x", 4, "", floor=4, target=1, equal=True), True),
        (Figure("x", 3, "", floor=4, target=1, equal=True), False),  # a step that skipped the model is wrong, too
        (Figure("x", 5, "", floor=4, target=1, equal=True), False),
        (Figure("x", 5, "per second"), None),
    ],
)
def test_figure_meets_or_misses_its_target_or_has_none(figure: Figure, met: bool | None) -> None:
    assert figure.met is met


def test_json_report_contains_every_field() -> None:
    figure = Figure("import http_api", 210.0, "ms", 140.0, 1.7)
    assert figure.as_json() == {
        "name": "import http_api",
        "value": 210.0,
        "floor": 140.0,
        "ratio": 1.5,
        "target": 1.7,
        "met": True,
        "unit": "ms",
    }
    report = as_json([figure])
    assert set(report) == {"date", "commit", "machine", "figures"}
    assert {"cores", "python"} <= set(report["machine"])


def test_table_marks_missed_targets_and_figures_without_target() -> None:
    console = Console(width=120, force_terminal=False)
    with console.capture() as output:
        figures = [
            Figure("GET", 66.0, "ms", 20.0, 3.2),
            Figure("pace", 2.5, "per second", note="warm"),
            Figure("size", 25.9, "MB", target=60),
        ]
        show(figures, console)
    lines = [" ".join(line.split()) for line in output.get().splitlines()]
    assert lines == [
        "figure measured floor ratio target",
        "GET 66 ms 20 ms 3.30 × ≤ 3.2 × MISSED",
        "pace 2.5 per second no target",
        "size 25.9 MB ≤ 60 MB met",
        "pace: warm.",
    ]


def test_table_shows_an_exact_target_with_an_equals_sign() -> None:
    assert cells(Figure("transitions", 8, "", 8, 1, equal=True))[-1] == "= 1 ×"


def test_percentile_of_101_values() -> None:
    values = [float(n) for n in range(101)]
    assert (percentile(values, 50), percentile(values, 99)) == (50, 99)


def test_package_size_is_compared_with_the_functions_own_limit() -> None:
    sizes = [Size("Lease", 100 * MB, {}), Size("HttpApi", MB, {"BaseDepsLayer": 60 * MB})]
    api, lease = of(sizes, "noted once")
    assert (api.name, api.value, api.target, api.met) == ("size of HttpApi", 61, 60, False)
    assert (lease.target, lease.met) == (120, True)
    assert [api.note, lease.note] == ["", "noted once"]


def test_build_older_than_a_source_is_not_fresh(tmp_path: Path) -> None:
    source, built = tmp_path / "layers/x.py", tmp_path / "built"
    source.parent.mkdir()
    source.write_text("")
    assert not is_fresh(built, tmp_path)
    built.mkdir()
    (built / "template.yaml").write_text("")
    for moment, fresh in ((-60, True), (60, False)):
        at = (built / "template.yaml").stat().st_mtime + moment
        os.utime(source, (at, at))
        assert is_fresh(built, tmp_path) is fresh


def test_only_selects_parts_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert arguments([]).only == list(PARTS)
    assert arguments(["--only", "sizes", "units"]).only == ["sizes", "units"]
    with pytest.raises(SystemExit):
        arguments(["--only", "speed"])
    message = capsys.readouterr().err
    assert all(name in message for name in PARTS), "the message lists the parts"
