"""A figure, its verdict, and how both are told."""

import os
from pathlib import Path

import pytest
from rich.console import Console

from bench.figure import Figure, percentile
from bench.figure_table import cells, show
from bench.package_sizes import is_fresh, of
from bench.run import PARTS, arguments, told
from packing.sizes import MB, Size


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("x", 25, "units", target=25), True),
        (Figure("x", 25.5, "units", target=25), False),
        (Figure("x", 75, "units", floor=30, target=2.5), True),
        (Figure("x", 76, "units", floor=30, target=2.5), False),
        (Figure("x", 4, "", floor=4, target=1, equal=True), True),
        (Figure("x", 3, "", floor=4, target=1, equal=True), False),  # a step that asked nobody is as wrong
        (Figure("x", 5, "", floor=4, target=1, equal=True), False),
        (Figure("x", 5, "a second"), None),
    ],
)
def test_a_target_is_met_missed_or_not_there(figure: Figure, met: bool | None) -> None:
    assert figure.met is met


def test_a_machine_is_told_all_of_it() -> None:
    figure = Figure("import http_api", 210.0, "ms", 140.0, 1.7)
    assert figure.told() == {
        "name": "import http_api",
        "value": 210.0,
        "floor": 140.0,
        "ratio": 1.5,
        "target": 1.7,
        "met": True,
        "unit": "ms",
    }
    whole = told([figure])
    assert set(whole) == {"date", "commit", "machine", "figures"}
    assert {"cores", "python"} <= set(whole["machine"])


def test_a_person_sees_what_is_missed_and_what_only_is_printed() -> None:
    console = Console(width=120, force_terminal=False)
    with console.capture() as seen:
        figures = [
            Figure("GET", 66.0, "ms", 20.0, 3.2),
            Figure("pace", 2.5, "a second", note="warm"),
            Figure("size", 25.9, "MB", target=60),
        ]
        show(figures, console)
    lines = [" ".join(line.split()) for line in seen.get().splitlines()]
    assert lines == [
        "figure measured floor ratio target",
        "GET 66 ms 20 ms 3.30 × ≤ 3.2 × MISSED",
        "pace 2.5 a second printed",
        "size 25.9 MB ≤ 60 MB met",
        "pace: warm.",
    ]


def test_equal_is_said() -> None:
    assert cells(Figure("transitions", 8, "", 8, 1, equal=True))[-1] == "= 1 ×"


def test_half_are_below_the_median_and_one_in_a_hundred_above_the_last() -> None:
    found = [float(n) for n in range(101)]
    assert (percentile(found, 50), percentile(found, 99)) == (50, 99)


def test_a_function_is_held_against_its_own_limit() -> None:
    sizes = [Size("Lease", 100 * MB, {}), Size("HttpApi", MB, {"BaseDepsLayer": 60 * MB})]
    api, lease = of(sizes, "told once")
    assert (api.name, api.value, api.target, api.met) == ("size of HttpApi", 61, 60, False)
    assert (lease.target, lease.met) == (120, True)
    assert [api.note, lease.note] == ["", "told once"]


def test_what_was_built_before_the_last_change_is_not_measured(tmp_path: Path) -> None:
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


def test_parts_are_chosen_by_their_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert arguments([]).only == list(PARTS)
    assert arguments(["--only", "sizes", "units"]).only == ["sizes", "units"]
    with pytest.raises(SystemExit):
        arguments(["--only", "speed"])
    said = capsys.readouterr().err
    assert all(name in said for name in PARTS), "which there are"
