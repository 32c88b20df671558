"""A claim costs the same however many tasks wait, and health however many runs there were."""

from bench.work_looks import figures


def test_a_claim_and_a_look_at_health_look_at_no_more_than_they_need() -> None:
    found = list(figures(lambda _: None, waiting=(1, 100, 2_000), runs=(1_000, 2_000)))
    assert [figure.name for figure in found if figure.met is False] == []
    assert {figure.value for figure in found if figure.unit == "writes"} == {1}
    assert sum(figure.target is not None for figure in found) == 7
