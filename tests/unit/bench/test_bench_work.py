"""A claim and a health check cost the same however many tasks and runs there are."""

from bench.work_looks import figures


def test_claim_and_health_check_read_a_bounded_number_of_rows() -> None:
    measured = list(figures(lambda _: None, waiting=(1, 100, 2_000), runs=(1_000, 2_000)))
    assert [figure.name for figure in measured if figure.met is False] == []
    assert {figure.value for figure in measured if figure.unit == "writes"} == {1}
    assert sum(figure.target is not None for figure in measured) == 7
