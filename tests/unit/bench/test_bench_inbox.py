"""A page of the inbox costs the same with 10,000 items as with 100."""

from bench.inbox_looks import PAGE, figures


def test_inbox_page_reads_about_as_many_rows_as_it_returns() -> None:
    pages = list(figures(lambda _: None, sizes=(100, 10_000), chosen_at=0))
    assert len(pages) == 2
    assert {(figure.floor, figure.target) for figure in pages} == {(PAGE, 1.2)}
    assert [figure.name for figure in pages if not figure.met] == []
    assert min(figure.value for figure in pages) >= PAGE, "otherwise nothing was counted"
